// Tools that edit by symbol change only the requested bytes: each tool × each kind of file.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { startClient, type TestClient } from '../../support/client.ts';
import {
  bytesAfter,
  editOf,
  emptyFile,
  type FileKind,
  fileKinds,
  lineEditOf,
  type RawEdit,
  rawLineStart,
} from '../../support/file-kinds.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

/** A call of a tool on the function `target`, and the expected edit. */
interface EditRow {
  readonly tool: string;
  args(kind: FileKind): Readonly<Record<string, unknown>>;
  edit(kind: FileKind): RawEdit;
}

const insertionAt = (kind: FileKind, line: number, text: string): RawEdit => {
  const start = rawLineStart(kind.raw, line);
  return { start, end: start, text };
};
/** The emoji is left out for Latin-1, which does not have it. */
const bodyFor = ({ encoding }: FileKind) => `def target(x):\n    return "é${encoding === undefined ? '😀' : ''}"`;

const rows: readonly EditRow[] = [
  {
    tool: 'replace_symbol_body',
    args: (kind) => ({ body: `\r\n  ${bodyFor(kind)}\n\n` }),
    edit: (kind) => ({
      start: kind.raw.indexOf('def target'),
      end: kind.raw.indexOf('TARGET') + 'TARGET'.length,
      text: bodyFor(kind),
    }),
  },
  {
    tool: 'insert_after_symbol',
    args: () => ({ body: 'one = 1\r\ntwo = 2' }),
    edit: (kind) => insertionAt(kind, 6, '\none = 1\ntwo = 2\n'),
  },
  {
    tool: 'insert_before_symbol',
    args: () => ({ body: '# 1\n\nx = 1\n\n\n' }),
    edit: (kind) => insertionAt(kind, 4, '# 1\n\nx = 1\n\n\n'),
  },
  { tool: 'safe_delete_symbol', args: () => ({}), edit: (kind) => lineEditOf(kind, [4, 7], '') },
  {
    tool: 'rename_symbol',
    args: () => ({ new_name: 'zweck_é' }),
    edit: (kind) => editOf(kind, 'def target', 'def zweck_é'),
  },
];

let projects: ReadonlyMap<string | undefined, { readonly workspace: Workspace; readonly client: TestClient }>;

beforeAll(async () => {
  const open = async (encoding: string | undefined) => {
    const config = encoding === undefined ? {} : { encoding };
    const workspace = makeWorkspace({ '.serena/project.yml': JSON.stringify(config), 'a.py': 'x = 1\n' });
    const client = await startClient({ args: ['--project', workspace.root] });
    // Downloads pyright at first use.
    await client.ask('get_symbols_overview', { relative_path: 'a.py' });
    return [encoding, { workspace, client }] as const;
  };
  projects = new Map(await Promise.all([undefined, 'latin-1'].map(open)));
}, 180_000);

afterAll(async () => {
  for (const { client } of projects.values()) await client.close();
});

let lastFile = 0;

/** Creates a file of this kind, calls the tool on `target` in it, and returns the answer and the file's bytes. */
async function editFile(kind: FileKind, tool: string, args: Readonly<Record<string, unknown>>) {
  const project = projects.get(kind.encoding);
  if (project === undefined) throw new Error(`There is no project in ${kind.encoding}`);
  const { workspace, client } = project;
  const relative_path = `f${++lastFile}.py`;
  workspace.write(relative_path, kind.encode(kind.raw));
  const path = workspace.path(relative_path);
  chmodSync(path, 0o640);
  const answer = await client.call(tool, { name_path: 'target', relative_path, ...args });
  const found = { answer, bytes: readFileSync(path), mode: statSync(path).mode & 0o777 };
  // Otherwise the next call would have a note about remaining occurrences in this file.
  workspace.remove(relative_path);
  return found;
}

describe.each([...rows])('$tool changes its symbol and no other bytes', (row) => {
  test.each([...fileKinds])('in a file with: $name', async (kind) => {
    const { answer, bytes, mode } = await editFile(kind, row.tool, row.args(kind));
    expect(answer).toMatchObject({ isError: false, blocks: [answer.text] });
    expect(bytes.toString('latin1')).toBe(bytesAfter(kind, row.edit(kind)).toString('latin1'));
    if (process.platform !== 'win32') expect(mode).toBe(0o640);
  });

  test('in an empty file, which has no such symbol', async () => {
    const { answer, bytes } = await editFile(emptyFile, row.tool, row.args(emptyFile));
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('no symbol matches `target`');
    expect(bytes).toHaveLength(0);
  });
});

describe('a symbol in the first line, after a byte order mark', () => {
  const marked = '\ufeffdef target(): return 1\n\n\nlast = 2\n';
  test.each([
    ['replace_symbol_body', { body: 'def target(): return 2' }, '\ufeffdef target(): return 2\n\n\nlast = 2\n'],
    ['insert_before_symbol', { body: 'x = 1' }, '\ufeffx = 1\n\ndef target(): return 1\n\n\nlast = 2\n'],
    ['insert_after_symbol', { body: 'x = 1' }, '\ufeffdef target(): return 1\n\nx = 1\n\n\nlast = 2\n'],
    ['safe_delete_symbol', {}, '\ufefflast = 2\n'],
    ['rename_symbol', { new_name: 'other' }, '\ufeffdef other(): return 1\n\n\nlast = 2\n'],
  ])('%s', async (tool, args, after) => {
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const kind = { ...emptyFile, raw: marked, encode: (raw: string) => Buffer.from(raw, encoding) };
      const { answer, bytes } = await editFile(kind, tool, args);
      expect(answer.isError).toBe(false);
      expect(bytes.toString(encoding)).toBe(after);
    }
  });
});

describe('a character that the file cannot encode is refused, and its bytes do not change', () => {
  const latin = fileKinds.find(({ encoding }) => encoding === 'latin-1') ?? emptyFile;
  test.each([
    ['replace_symbol_body', { body: 'def target(): return "€"' }],
    ['insert_after_symbol', { body: 'x = "€"' }],
    ['insert_before_symbol', { body: 'x = "€"' }],
    ['rename_symbol', { new_name: 'π' }],
  ])('by %s', async (tool, args) => {
    const { answer, bytes } = await editFile(latin, tool, args);
    expect(answer.text).toContain(`${tool}: UnicodeEncodeError: `);
    expect(bytes.toString('latin1')).toBe(latin.raw);
  });
});

describe('a file whose lines its server counts differently is refused', () => {
  const files = [
    ['a.ts', "export const s = '\u2028';\nexport function target() {\n  return 1;\n}\n"],
    ['a.sh', "s='a\rb'\ntarget() {\n  echo 1\n}\n"],
  ] as const;
  test.each(files)(
    '%s',
    async (file, text) => {
      const workspace = makeWorkspace({ [file]: text });
      await using client = await startClient({ args: ['--project', workspace.root] });
      for (const { tool, args } of rows) {
        const answer = await client.call(tool, { name_path: 'target', relative_path: file, ...args(emptyFile) });
        expect([tool, answer.isError]).toEqual([tool, true]);
        expect(answer.text).toContain('line 0 contains a line break');
      }
      expect(workspace.read(file)).toBe(text);
    },
    180_000,
  );
});
