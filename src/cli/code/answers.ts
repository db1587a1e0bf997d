import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { type EditReport, editText, type NextCall, type SignatureCall } from '../../tools/answers/finished-edits.ts';
import { githubLines, sarifOf, VerificationData, verificationLines } from '../../tools/answers/verification.ts';
import type { CodeCommand, CodeFlags } from './command.ts';
import { historyLines, inLinesFromOne } from './in-commands.ts';
import { affectedIn } from './requests.ts';

interface View {
  readonly flags: CodeFlags;
  /** Returns a project-relative path as plain text shows it: relative to the working directory inside the project. */
  shown(path: string): string;
}

/** Functions that return the lines of the plain-text form of a tool's answer: parsed JSON, or a text. */
export const answerLines: Readonly<Record<CodeCommand['prints'], (answer: unknown, view: View) => readonly string[]>> =
  {
    references: referenceLines,
    hierarchy: neighborLines,
    paths: pathLines,
    unused: unusedLines,
    structure: editLines,
    changes: changeLines,
    diagnostics: diagnosticLines,
    verification: verifiedLines,
    files: (answer, { flags, shown }) => affectedIn(answer, flags).map(shown),
    edit: editLines,
    excerpts: excerptLines,
    text: (answer) => z.string().parse(answer).split('\n'),
    history: (answer) => historyLines(z.string().parse(answer)),
  };

function verifiedLines(answer: unknown, { flags, shown }: View): readonly string[] {
  const data = VerificationData.parse(answer);
  if (flags.format === 'github') return githubLines(data);
  if (flags.format === 'sarif') return [JSON.stringify(sarifOf(data))];
  return verificationLines(data, { firstLine: 1, shown });
}

/** The lines of a neighbor; its own neighbors are under the kind of the hierarchy. */
const neighbor = z.union([
  z.array(z.int()).transform((lines) => ({ lines, repeated: false })),
  z.looseObject({ lines: z.array(z.int()), repeated: z.boolean().default(false) }),
]);

const neighborsByFile = z.record(z.string(), z.record(z.string(), neighbor));

/** Returns `file:line: name path` for each line of a neighbor; the neighbors of a neighbor are indented below it. */
function neighborLines(answer: unknown, view: View): string[] {
  return entryLines(neighborsByFile.parse(answer), ([file, name, { lines, repeated, ...others }]) => {
    const note = repeated ? ' (its own are shown above)' : '';
    const below = Object.values(others).flatMap((level) => neighborLines(level, view));
    return [
      ...lines.map((line) => `${view.shown(file)}:${line + 1}: ${name}${note}`),
      ...below.map((line) => `  ${line}`),
    ];
  });
}

const pathStep = z.object({
  from: z.string(),
  to: z.string(),
  how: z.string(),
  relative_path: z.string(),
  line: z.int(),
  text: z.string(),
});

/** Returns `file:line: from calls to: text` for each step, with an empty line between paths. */
function pathLines(answer: unknown, view: View): string[] {
  return z
    .array(z.array(pathStep))
    .parse(answer)
    .flatMap((path, index) => [
      ...(index === 0 ? [] : ['']),
      ...path.map(
        ({ from, to, how, relative_path: file, line, text }) =>
          `${view.shown(file)}:${line + 1}: ${from} ${how} ${to}: ${text}`,
      ),
    ]);
}

const unusedEntry = z.object({
  name_path: z.string(),
  kind: z.string(),
  relative_path: z.string(),
  line: z.int(),
  use: z.enum(['unused', 'tests', 'undecided']),
  why: z.string().optional(),
  at: z.object({ relative_path: z.string(), line: z.int(), text: z.string() }).optional(),
});

const uses = { unused: 'unused', tests: 'used by tests only', undecided: 'undecided' } as const;

function unusedLines(answer: unknown, { shown }: View): string[] {
  return z
    .array(unusedEntry)
    .parse(answer)
    .map(({ name_path: name, kind, relative_path: file, line, use, why, at }) => {
      const place = at === undefined ? '' : `: ${shown(at.relative_path)}:${at.line + 1}: ${at.text}`;
      const reason = why === undefined ? '' : ` (${inLinesFromOne(why)}${place})`;
      return `${shown(file)}:${line + 1}: ${uses[use]}: ${kind} ${name}${reason}`;
    });
}

type ByFile<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

function entryLines<T>(byFile: ByFile<T>, render: (entry: [file: string, name: string, T]) => string[]): string[] {
  return Object.entries(byFile).flatMap(([file, byName]) =>
    Object.entries(byName).flatMap(([name, entry]) => render([file, name, entry])),
  );
}

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

const reached = z.object({
  line: z.int(),
  references: linesByFile,
  indirect_users: symbolsByFile.default({}),
  tests: symbolsByFile.default({}),
});

const changes = z.object({
  compared: z.string(),
  deleted_but_name_in_use: z.record(z.string(), z.record(z.string(), inUse)).default({}),
  renamed_or_moved: z.record(z.string(), z.record(z.string(), present)).default({}),
  changed: z.record(z.string(), z.record(z.string(), present)).default({}),
  deleted: namesByFile.default({}),
  added: namesByFile.default({}),
  if_deleted: z.record(z.string(), z.record(z.string(), reached)).default({}),
  if_moved: z.record(z.string(), z.record(z.string(), reached)).default({}),
  untested: z.record(z.string(), z.record(z.string(), z.int())).default({}),
});

function changeLines(answer: unknown, view: View): string[] {
  const { compared, ...found } = changes.parse(answer);
  const plain = (what: string, byFile: z.infer<typeof namesByFile>) =>
    Object.entries(byFile).flatMap(([file, names]) => names.map((name) => `${view.shown(file)}: ${what} ${name}`));
  return [
    `Compared ${compared}`,
    ...entryLines(found.deleted_but_name_in_use, ([file, name, { matches_of_name: matches }]) => [
      `${view.shown(file)}: deleted ${name}, whose name is in use`,
      ...placeLines('match', matches, view),
    ]),
    ...presentLines('moved', found.renamed_or_moved, view),
    ...presentLines('changed', found.changed, view),
    ...plain('deleted', found.deleted),
    ...plain('added', found.added),
    ...reachedLines('if deleted', found.if_deleted, view),
    ...reachedLines('if moved', found.if_moved, view),
    ...entryLines(found.untested, ([file, name, line]) => [`${view.shown(file)}:${line + 1}: untested ${name}`]),
  ];
}

function reachedLines(what: string, byFile: ByFile<z.infer<typeof reached>>, view: View): string[] {
  const places = (label: string, related: z.infer<typeof symbolsByFile>) =>
    entryLines(related, ([file, name, lines]) => placeLines(`${label} ${name}`, { [file]: lines }, view));
  return entryLines(byFile, ([file, name, { line, references, ...others }]) => [
    `${view.shown(file)}:${line + 1}: ${what}: ${name}`,
    ...placeLines('reference', references, view),
    ...places('indirect user', others.indirect_users),
    ...places('test', others.tests),
  ]);
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

const diagnostic = z.object({
  message: z.string(),
  range: z.object({ start: z.object({ line: z.int(), character: z.int() }) }),
  code: z.union([z.string(), z.number()]).optional(),
  source: z.string().optional(),
});

const diagnosticsByFile = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.array(diagnostic))));

function diagnosticLines(answer: unknown, view: View): string[] {
  return Object.entries(diagnosticsByFile.parse(answer)).flatMap(([file, bySeverity]) =>
    Object.entries(bySeverity)
      .flatMap(([severity, byOwner]) =>
        Object.values(byOwner).flatMap((own) => own.map((one) => ({ ...one, severity }))),
      )
      .toSorted(({ range: { start: a } }, { range: { start: b } }) => a.line - b.line || a.character - b.character)
      .flatMap(({ range, severity, message, source, code }) => {
        const { line, character } = range.start;
        const origin = [source, code].filter((part) => part !== undefined).join(' ');
        const text = `${severity}: ${message}${origin === '' ? '' : ` (${origin})`}`;
        return `${view.shown(file)}:${line + 1}:${character + 1}: ${text}`.replaceAll('\n', '\n    ').split('\n');
      }),
  );
}

/** True for the data of an edit that has such data. */
function isReport(answer: unknown): answer is EditReport {
  return typeof answer === 'object' && answer !== null && 'done' in answer && 'isPlanned' in answer;
}

/** Returns the command that also changes the places with some ids. */
function nextCommand(call: NextCall, ids: readonly number[], { shown }: View): string {
  if (!('renames' in call)) {
    const options = signatureOptions(call.changes).map(([name, value]) => `--${name} ${quoted(value)}`);
    const parts = [quoted(`${shown(call.file)}#${call.namePath}`), ...options, `--also ${rangesOf(ids)}`];
    return `serena signature ${parts.join(' ')}`;
  }
  const { renames } = call;
  const symbols = renames.map(({ file, namePath }) => `${shown(file)}#${namePath}`);
  const [first] = renames;
  const args =
    renames.length === 1
      ? [symbols[0] ?? '', first?.newName ?? '']
      : renames.map(({ newName }, index) => `${symbols[index]}=${newName}`);
  return `serena rename ${args.map(quoted).join(' ')} --also ${rangesOf(ids)}`;
}

/** Returns the options of `serena signature` for changes that it made. */
function signatureOptions(changes: SignatureCall['changes']): [name: string, value: string][] {
  const all = (given: (change: SignatureCall['changes'][number]) => string | undefined) => {
    const values = changes.flatMap((change) => given(change) ?? []);
    return values.length === 0 ? undefined : values.join(',');
  };
  const options = {
    add: all(({ add }) => add),
    value: all(({ value }) => value),
    before: all(({ before }) => before),
    remove: all(({ remove }) => remove),
    rename: all(({ rename, to }) => rename && `${rename}=${to}`),
    order: all(({ order }) => order?.join(',')),
    keyword: all(({ keyword }) => keyword),
    positional: all(({ positional }) => positional),
  };
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** Returns an argument as shells read it: in quotes if it is more than a plain word. */
function quoted(text: string): string {
  return /^[\w./#=@%+:,-]+$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns sorted numbers as a list with ranges: `1-3,5`. */
function rangesOf(ids: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const id of ids) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === id - 1) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(',');
}

/** The default limit was too low. */
const checkCall = 'serena verify --timeout 960';

/** Returns the result of an edit; with `report_edit_diagnostics`, the problems that it caused follow as JSON. */
function editLines(answer: unknown, view: View): string[] {
  if (isReport(answer)) {
    const callFor = (call: NextCall, ids: readonly number[]) => nextCommand(call, ids, view);
    const { diff } = answer;
    const isShort = diff !== undefined && view.flags.diff !== true;
    const report = isShort ? { ...answer, diff: shortDiff(diff) } : answer;
    return editText(report, { firstLine: 1, shown: view.shown, callFor, checkCall }).split('\n');
  }
  const { success, data } = z.object({ result: z.string() }).loose().safeParse(answer);
  if (!success) return z.string().parse(answer).split('\n');
  const { result, ...problems } = data;
  return [result, JSON.stringify(problems, undefined, 2)].flatMap((text) => text.split('\n'));
}

const referencesByFile = z.record(
  z.string(),
  z.record(z.string(), z.array(z.object({ content_around_reference: z.string() }))),
);

const verdicts = z.record(
  z.string(),
  z.array(
    z.object({ relative_path: z.string(), line: z.number(), judge: z.string(), reason: z.string(), text: z.string() }),
  ),
);

function verdictLines(answer: unknown, { shown }: View): string[] {
  return Object.entries(verdicts.parse(answer)).flatMap(([verdict, own]) =>
    own.map(({ relative_path: file, line, judge, reason, text }) => {
      return `${shown(file)}:${line + 1}: ${verdict} (${judge}: ${reason}) ${text}`;
    }),
  );
}

function referenceLines(answer: unknown, view: View): string[] {
  if (view.flags.explain === true) return verdictLines(answer, view);
  return Object.entries(referencesByFile.parse(answer)).flatMap(([file, byKind]) => {
    const excerpts = Object.values(byKind).flatMap((found) => found.map((one) => one.content_around_reference));
    return matchLines(file, excerpts, { ...view, hasContext: false });
  });
}

function excerptLines(answer: unknown, view: View): string[] {
  const { beforeContext = 0, afterContext = 0, context = 0 } = view.flags;
  const hasContext = beforeContext + afterContext + context > 0;
  const files = Object.entries(z.record(z.string(), z.array(z.string())).parse(answer));
  return files.flatMap(([file, excerpts], index) => [
    ...(hasContext && index > 0 ? ['--'] : []),
    ...matchLines(file, excerpts, { ...view, hasContext }),
  ]);
}

interface ShownLine {
  readonly isMatch: boolean;
  readonly text: string;
}

/**
 * Returns the lines of excerpts of one file as `grep -n` prints them: `file:line:text`, with context also `file-line-text`,
 * and `--` between lines that are not consecutive. Excerpts have the line display format of the tools and may overlap.
 */
function matchLines(path: string, excerpts: readonly string[], view: View & { hasContext: boolean }): string[] {
  const byNumber = new Map<number, ShownLine>();
  for (const line of excerpts.flatMap((excerpt) => excerpt.split('\n'))) {
    const { number, isMatch, text } = parsed(line);
    if (isMatch || (view.hasContext && !byNumber.has(number))) byNumber.set(number, { isMatch, text });
  }
  const file = view.shown(path);
  const lines = [...byNumber].toSorted(([a], [b]) => a - b);
  return lines.flatMap(([number, { isMatch, text }], index) => {
    const separator = isMatch ? ':' : '-';
    const isApart = view.hasContext && index > 0 && lines[index - 1]?.[0] !== number - 1;
    return [...(isApart ? ['--'] : []), `${file}${separator}${number + 1}${separator}${text}`];
  });
}

function parsed(line: string): ShownLine & { readonly number: number } {
  const [, marker, number, text = ''] = /^( {2}>|\.{3}) *(\d+):(.*)$/s.exec(line) ?? [];
  if (number === undefined) throw new Error(`not a line of an excerpt: ${line}`);
  return { number: Number(number), isMatch: marker !== '...', text };
}

/** An agent reads all that is printed. */
const maxChars = 2_000;

/** Returns the first hunk of each file of a unified diff, as many as are short, and the number of the other lines. */
function shortDiff(diff: string): string {
  const lines = diff.split('\n');
  const shown: string[] = [];
  let size = 0;
  for (const hunk of firstHunks(lines)) {
    size += hunk.reduce((sum, line) => sum + line.length + 1, 0);
    if (size > maxChars) break;
    shown.push(...hunk);
  }
  const more = lines.length - shown.length;
  return more === 0 ? diff : [...shown, `… ${counted(more, 'more line')} of the diff: add \`--diff\``].join('\n');
}

/** Returns the lines of each file before its second hunk. */
function firstHunks(lines: readonly string[]): string[][] {
  const files: string[][] = [];
  let hunks = 0;
  for (const [index, line] of lines.entries()) {
    const beginsFile = line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ') === true;
    if (beginsFile || index === 0) {
      files.push([]);
      hunks = 0;
    }
    if (line.startsWith('@@ ')) hunks++;
    if (hunks < 2) files.at(-1)?.push(line);
  }
  return files;
}
