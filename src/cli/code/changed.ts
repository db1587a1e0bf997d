import { Option } from 'commander';
import { z } from 'zod';
import { projectPath } from './address.ts';
import type { CodeCommand, View } from './code-command.ts';

const linesByFile = z.record(z.string(), z.array(z.int()));
const symbolsByFile = z.record(z.string(), linesByFile);
const namesByFile = z.record(z.string(), z.array(z.string()));

const present = z.object({
  line: z.int(),
  from: z.string().optional(),
  edited: z.boolean().default(false),
  users: symbolsByFile.default({}),
  indirect_users: symbolsByFile.default({}),
  tests: symbolsByFile.default({}),
});
const inUse = z.object({ matches_of_name: linesByFile });

const changes = z.object({
  compared: z.string(),
  deleted_but_name_in_use: z.record(z.string(), z.record(z.string(), inUse)).default({}),
  renamed_or_moved: z.record(z.string(), z.record(z.string(), present)).default({}),
  changed: z.record(z.string(), z.record(z.string(), present)).default({}),
  deleted: namesByFile.default({}),
  added: namesByFile.default({}),
});

export const changed: CodeCommand = {
  name: 'changed',
  description: 'List the symbols that differ from a Git base, with their users and tests',
  operands: [['[path]', 'file or directory (default: the whole project)']],
  options: [new Option('--base <base>', 'commit, range a..b, or `staged` (default: the merge base with the upstream)')],
  examples: ['serena changed', 'serena changed src --base HEAD~3', 'serena changed --base main..work'],
  request: ({ operands: [path], flags, place }) => ({
    tool: 'changed_symbols',
    args: { base: flags.base ?? '', relative_path: path === undefined ? '' : projectPath(path, place) },
  }),
  isEmpty: (answer) => Object.keys(Object(answer)).length === 1,
  render: (answer, view) => {
    const { compared, ...found } = changes.parse(answer);
    return [
      compared,
      ...entryLines(found.deleted_but_name_in_use, ([file, name, { matches_of_name: matches }]) => [
        `${view.shown(file)}: deleted ${name}, whose name is in use`,
        ...placeLines('match', matches, view),
      ]),
      ...presentLines('moved', found.renamed_or_moved, view),
      ...presentLines('changed', found.changed, view),
      ...nameLines('deleted', found.deleted, view),
      ...nameLines('added', found.added, view),
    ];
  },
};

type ByFile<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

function entryLines<T>(byFile: ByFile<T>, render: (entry: [file: string, name: string, T]) => string[]): string[] {
  return Object.entries(byFile).flatMap(([file, byName]) =>
    Object.entries(byName).flatMap(([name, entry]) => render([file, name, entry])),
  );
}

function presentLines(what: string, byFile: ByFile<z.infer<typeof present>>, view: View): string[] {
  const places = (label: string, related: z.infer<typeof symbolsByFile>) =>
    entryLines(related, ([file, name, lines]) => placeLines(`${label} ${name}`, { [file]: lines }, view));
  return entryLines(byFile, ([file, name, { line, from, edited, ...impact }]) => [
    `${view.shown(file)}:${line + 1}: ${what} ${name}${from === undefined ? '' : `, from ${from}`}${edited ? ', edited' : ''}`,
    ...places('user', impact.users),
    ...places('indirect user', impact.indirect_users),
    ...places('test', impact.tests),
  ]);
}

/** Returns an indented `file:line: label` for each line. */
function placeLines(label: string, byFile: z.infer<typeof linesByFile>, { shown }: View): string[] {
  return Object.entries(byFile).flatMap(([file, lines]) =>
    lines.map((line) => `  ${shown(file)}:${line + 1}: ${label}`),
  );
}

function nameLines(what: string, byFile: z.infer<typeof namesByFile>, { shown }: View): string[] {
  return Object.entries(byFile).flatMap(([file, names]) => names.map((name) => `${shown(file)}: ${what} ${name}`));
}
