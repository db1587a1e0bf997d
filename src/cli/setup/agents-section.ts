import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProjectAbove } from '../../project/find-above.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printLine } from '../output.ts';
import { usageError } from '../report.ts';
import { type Addition, addToFile, configurationText, removeFromFile } from './change-file.ts';
import { type Client, clients } from './clients.ts';
import { projectFile } from './project-file.ts';

const begin = '<!-- serena:begin -->';
const end = '<!-- serena:end -->';

/** What an agent reads in each conversation: when to use what, for tools and commands. */
const section = `${begin}
## Code intelligence: Serena

Serena knows what names mean. Use its tools, or its commands in a shell where you do not have the tools, as in sub-agents:

- Who uses a symbol, what does a change affect: \`explore_symbol\`, \`find_referencing_symbols\` (\`serena explore\`, \`serena refs <symbol>\`). Text search mixes up names.
- Rename, move, delete, change parameters: \`rename_symbol\` and its relatives (\`serena rename <file>#<symbol> <new-name>\`) change every file, or none.
- Before reading a large file: \`get_symbols_overview\` (\`serena overview <file>\`).
- Before you say that a change is done: \`serena verify\` names what it breaks and the tests to run.
${end}`;

/** Adds and removes the section; everything else in the file stays, byte for byte. */
const addition: Addition = {
  add: (text) => {
    const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
    const own = section.replaceAll('\n', lineBreak);
    const found = placeIn(text);
    if (found !== undefined) return text.slice(0, found.start) + own + text.slice(found.end);
    if (text === '') return `${own}\n`;
    // A file without a last line break gets none behind the section, by which it is known when it is removed.
    return text.endsWith('\n') ? `${text}${lineBreak}${own}${lineBreak}` : `${text}${lineBreak}${lineBreak}${own}`;
  },
  remove: (text) => {
    const found = placeIn(text);
    if (found === undefined) return text;
    const [before, after] = [text.slice(0, found.start), text.slice(found.end)];
    const hadBreak = /^\r?\n/.test(after);
    return before.replace(hadBreak ? /\r?\n$/ : /(?:\r?\n){2}$/, '') + after.replace(/^\r?\n/, '');
  },
  isIn: (text) => placeIn(text) !== undefined,
};

function placeIn(text: string): { readonly start: number; readonly end: number } | undefined {
  const start = text.indexOf(begin);
  const last = start === -1 ? -1 : text.indexOf(end, start);
  return last === -1 ? undefined : { start, end: last + end.length };
}

/**
 * Adds a section about this program to the file with instructions that a client reads in the project of the working
 * directory, removes it, or prints it.
 *
 * @throws {ExpectedError} `usage.invalid` for a client without such a file; `project.none-active`, `file.outside-project`;
 *   as {@link addToFile}.
 */
export function setUpAgentsSection(
  client: Client,
  environment: Environment,
  { isPrint, isRemove }: { isPrint: boolean; isRemove: boolean },
): void {
  const name = client.instructions;
  if (name === undefined) {
    const ids = clients.flatMap(({ id, instructions }) => (instructions ? [id] : []));
    throw usageError(`\`--agents\` does not support \`${client.id}\``, [`use one of: ${ids.join(', ')}`]);
  }
  if (isPrint) {
    ownCaller.print(addition.add(''));
    ownCaller.report(`For ${client.name}, in \`${name}\` of a project\n`);
    return;
  }
  const file = projectFile(environment, name);
  const options = { keepsCopy: false };
  if (isRemove) {
    const { outcome } = removeFromFile(file, addition, options);
    printLine(`${outcome === 'unchanged' ? 'There is no section in' : 'Removed the section from'} \`${file}\``);
    return;
  }
  const { outcome } = addToFile(file, addition, options);
  printLine(`${outcome === 'unchanged' ? 'Unchanged' : 'Added the section'}: \`${file}\``);
}

/** Returns the file of the project in the working directory that has the section; `undefined` if there is none. */
export function fileWithSection({ instructions }: Client, { cwd }: Environment): string | undefined {
  const project = findProjectAbove(cwd);
  const file = project !== undefined && instructions !== undefined ? join(project, instructions) : undefined;
  return file !== undefined && existsSync(file) && addition.isIn(configurationText(file)) ? file : undefined;
}
