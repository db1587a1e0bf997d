// Every tool that edits a file preserves all other bytes: each tool × each kind of file.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { startClient, type TestClient } from '../support/client.ts';
import {
  bytesAfter,
  editOf,
  emptyFile,
  type FileKind,
  fileKinds,
  lineEditOf,
  type RawEdit,
} from '../support/file-kinds.ts';
import { makeHome, noServers } from '../support/homes.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

/** One call of a tool, and the expected edit. Every row is tested with every kind of file. */
interface EditRow {
  readonly tool: string;
  /** Distinguishes rows of one tool. */
  readonly what: string;
  args(kind: FileKind): Readonly<Record<string, unknown>>;
  edit(kind: FileKind): RawEdit;
}

const twoLines = 'one = "1"\ntwo = 2\n';
const isMarked = (kind: FileKind) => kind.raw.startsWith('\ufeff');
const all = (kind: FileKind): RawEdit => ({ start: isMarked(kind) ? 1 : 0, end: kind.raw.length, text: twoLines });
const newLines = { content: twoLines };
const lineCount = (kind: FileKind) => kind.raw.split(/\r\n|\r|\n/).length;

const rows: readonly EditRow[] = [
  { tool: 'create_text_file', what: 'all of it', args: () => newLines, edit: all },
  {
    tool: 'replace_content',
    what: 'a word by lines',
    args: () => ({ needle: 'TARGET', repl: 'A\nB', mode: 'literal' }),
    edit: (kind) => editOf(kind, 'TARGET', 'A\nB'),
  },
  {
    tool: 'replace_content',
    what: 'lines, named with CRLF, by one',
    args: () => ({ needle: 'TARGET\r\n\r\n\r\nlast', repl: 'X; last', mode: 'literal' }),
    edit: (kind) => ({ start: kind.raw.indexOf('TARGET'), end: kind.raw.indexOf('last') + 4, text: 'X; last' }),
  },
  {
    tool: 'replace_content',
    what: 'what a pattern matches over lines',
    args: () => ({ needle: '^def (tar).*?, T', repl: '$!1\nT', mode: 'regex' }),
    edit: (kind) => ({ start: kind.raw.indexOf('def '), end: kind.raw.indexOf('TARGET') + 1, text: 'tar\nT' }),
  },
  {
    tool: 'replace_content',
    what: 'the first line, by its start',
    args: () => ({ needle: '\\A.*?$', repl: '# new', mode: 'regex' }),
    edit: (kind) => ({ ...lineEditOf(kind, [0, 0], '# new'), end: kind.raw.search(/\r|\n/) }),
  },
  {
    tool: 'replace_content',
    what: 'something by itself',
    args: () => ({ needle: 'TARGET', repl: 'TARGET', mode: 'literal' }),
    edit: (kind) => editOf(kind, 'TARGET', 'TARGET'),
  },
  {
    tool: 'replace_regex',
    what: 'a line, by a template',
    args: () => ({ regex: ', (TARGET)\\n', repl: ', \\1\\n\\1\\n' }),
    edit: (kind) => ({ ...lineEditOf(kind, [5, 5], ', TARGET\nTARGET\n'), start: kind.raw.indexOf(', TARGET') }),
  },
  {
    tool: 'replace_in_files',
    what: 'a word by lines',
    args: () => ({ needle: 'TARGET', repl: 'A\nB', mode: 'literal' }),
    edit: (kind) => editOf(kind, 'TARGET', 'A\nB'),
  },
  {
    tool: 'replace_in_files',
    what: 'what a pattern matches over lines',
    args: () => ({ needle: 'TARGET\\s+last', repl: 'T\n\nl', mode: 'regex' }),
    edit: (kind) => ({ start: kind.raw.indexOf('TARGET'), end: kind.raw.indexOf('last') + 4, text: 'T\n\nl' }),
  },
  ...(['first', 'middle', 'last'] as const).flatMap((place): EditRow[] => {
    const rangeOf = (kind: FileKind): readonly [number, number] =>
      place === 'first' ? [0, 1] : place === 'middle' ? [4, 5] : [6, lineCount(kind) - 1];
    const argsOf = (kind: FileKind) => ({ start_line: rangeOf(kind)[0], end_line: rangeOf(kind)[1] });
    return [
      {
        tool: 'delete_lines',
        what: `the ${place} lines`,
        args: argsOf,
        edit: (kind) => lineEditOf(kind, rangeOf(kind), ''),
      },
      {
        tool: 'replace_lines',
        what: `the ${place} lines`,
        args: (kind) => ({ ...argsOf(kind), ...newLines }),
        edit: (kind) => lineEditOf(kind, rangeOf(kind), twoLines),
      },
    ];
  }),
  {
    tool: 'insert_at_line',
    what: 'before the first line',
    args: () => ({ line: 0, ...newLines }),
    edit: (kind) => ({ ...lineEditOf(kind, [0, 0], twoLines), end: lineEditOf(kind, [0, 0], '').start }),
  },
  {
    tool: 'insert_at_line',
    what: 'in the middle',
    args: () => ({ line: 5, content: 'one\r\ntwo' }),
    edit: (kind) => ({
      start: lineEditOf(kind, [5, 5], '').start,
      end: lineEditOf(kind, [5, 5], '').start,
      text: 'one\ntwo\n',
    }),
  },
  {
    tool: 'insert_at_line',
    what: 'behind the last line',
    args: (kind) => ({ line: lineCount(kind), ...newLines }),
    edit: (kind) => ({ start: kind.raw.length, end: kind.raw.length, text: `\n${twoLines}` }),
  },
];

const optionalTools = ['delete_lines', 'replace_lines', 'insert_at_line'];
/** No language server is available: none of these tools may need one. */
const home = makeHome({ ...noServers(), base_modes: [], included_optional_tools: optionalTools });

let projects: ReadonlyMap<string | undefined, { readonly workspace: Workspace; readonly client: TestClient }>;

beforeAll(async () => {
  const open = async (encoding: string | undefined) => {
    const config = encoding === undefined ? {} : { encoding };
    const workspace = makeWorkspace({ '.serena/project.yml': JSON.stringify(config) });
    const client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
    return [encoding, { workspace, client }] as const;
  };
  projects = new Map(await Promise.all([undefined, 'latin-1'].map(open)));
});

afterAll(async () => {
  for (const { client } of projects.values()) await client.close();
});

let lastFile = 0;

/** Creates a file of this kind, calls the tool on it, and returns the answer and the bytes of the file. */
async function editFile(kind: FileKind, tool: string, args: Readonly<Record<string, unknown>>) {
  const project = projects.get(kind.encoding);
  if (project === undefined) throw new Error(`There is no project in ${kind.encoding}`);
  const { workspace, client } = project;
  const relative_path = `f${++lastFile}.py`;
  workspace.write(relative_path, kind.encode(kind.raw));
  chmodSync(workspace.path(relative_path), 0o640);
  const answer = await client.call(tool, { ...args, relative_path });
  const path = workspace.path(relative_path);
  return { answer, bytes: readFileSync(path), mode: statSync(path).mode & 0o777 };
}

describe.each([...rows])('$tool replaces $what and no other bytes', (row) => {
  test.each([...fileKinds])('in a file with: $name', async (kind) => {
    const { answer, bytes, mode } = await editFile(kind, row.tool, row.args(kind));
    expect(answer).toMatchObject({ isError: false, blocks: [answer.text] });
    expect(bytes.toString('latin1')).toBe(bytesAfter(kind, row.edit(kind)).toString('latin1'));
    if (process.platform !== 'win32') expect(mode).toBe(0o640);
  });
});

describe('an empty file', () => {
  test.each([
    ['create_text_file', newLines, twoLines],
    ['replace_content', { needle: '', repl: twoLines, mode: 'literal' }, twoLines],
    ['replace_content', { needle: '^$', repl: twoLines, mode: 'regex' }, twoLines],
    ['delete_lines', { start_line: 0, end_line: 0 }, ''],
    ['replace_lines', { start_line: 0, end_line: 0, ...newLines }, twoLines],
    ['insert_at_line', { line: 0, ...newLines }, twoLines],
    ['insert_at_line', { line: 1, ...newLines }, `\n${twoLines}`],
    ['replace_in_files', { needle: '^$', repl: twoLines, mode: 'regex' }, twoLines],
  ])('is filled by %s %j', async (tool, args, after) => {
    const { answer, bytes } = await editFile(emptyFile, tool, args);
    expect(answer.isError).toBe(false);
    expect(bytes.toString('utf8')).toBe(after);
  });

  test.each([
    ['replace_content', { needle: 'x', repl: 'y', mode: 'literal' }, 'ValueError'],
    ['replace_in_files', { needle: 'x', repl: 'y', mode: 'literal' }, 'ValueError'],
    ['delete_lines', { start_line: 0, end_line: 1 }, 'InvalidTextLocationError'],
    ['insert_at_line', { line: 2, ...newLines }, 'InvalidTextLocationError'],
  ])('is left empty where %s has nothing to do: %j', async (tool, args, kind) => {
    const { answer, bytes } = await editFile(emptyFile, tool, args);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain(`${kind}: `);
    expect(bytes).toHaveLength(0);
  });
});

describe('text that a file cannot represent is rejected, and its bytes remain', () => {
  const latin = fileKinds.find(({ encoding }) => encoding === 'latin-1') ?? emptyFile;
  test.each([
    ['create_text_file', { content: 'a €' }],
    ['replace_content', { needle: 'TARGET', repl: '€', mode: 'literal' }],
    ['replace_in_files', { needle: 'TARGET', repl: '€', mode: 'literal' }],
    ['replace_lines', { start_line: 0, end_line: 0, content: '€' }],
    ['insert_at_line', { line: 0, content: '€' }],
  ])('by %s', async (tool, args) => {
    const { answer, bytes } = await editFile(latin, tool, args);
    expect(answer.text).toContain(`${tool}: UnicodeEncodeError: `);
    expect(answer.text).toContain('U+20AC');
    expect(bytes.toString('latin1')).toBe(latin.raw);
  });

  test.each(['replace_content', 'replace_in_files', 'replace_regex'])(
    'a file that cannot be decoded, by %s',
    async (tool) => {
      const broken: FileKind = { ...emptyFile, raw: 'TARGET é', encode: (raw) => Buffer.from(raw, 'latin1') };
      const rule = { needle: 'TARGET', regex: 'TARGET', repl: 'x', mode: 'literal' };
      const { answer, bytes } = await editFile(broken, tool, rule);
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain('encoding');
      expect(bytes.toString('latin1')).toBe(broken.raw);
    },
  );
});

test('with line breaks configured, an edited file gets them throughout', async () => {
  const config = { line_ending: 'crlf' };
  const workspace = makeWorkspace({ '.serena/project.yml': JSON.stringify(config), 'a.txt': 'a\nb\r\nc\n' });
  await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
  await client.ask('replace_content', { relative_path: 'a.txt', needle: 'b', repl: 'B\n', mode: 'literal' });
  await client.ask('create_text_file', { relative_path: 'new.txt', content: 'a\r\nb\n' });
  expect([workspace.read('a.txt'), workspace.read('new.txt')]).toEqual(['a\r\nB\r\n\r\nc\r\n', 'a\r\nb\r\n']);
});
