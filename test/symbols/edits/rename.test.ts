// rename_symbol with a server that misbehaves, through the program and a real client.
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectState } from '../../../src/config/data-directory.ts';
import { type Answer, startClient } from '../../support/client.ts';
import { makeHome, type Stub, stubServers } from '../../support/homes.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

// Some tests wait twice until the time limit for a server that publishes no diagnostics is over.
const timeoutMs = 120_000;

const files = {
  '.serena/project.yml': 'project_name: p\n',
  '.gitignore': 'made/\n',
  'a.py': 'def top():\n    pass\n',
  'b.py': 'from a import top\n\ntop()\n',
  'c.py': 'x = 1\n',
  'marked.py': '\ufefftop()\n',
};

interface Renamed {
  readonly answer: Answer;
  readonly workspace: Workspace;
  /** New contents of the changed files; `undefined` for deleted files. */
  readonly changed: Readonly<Record<string, string | undefined>>;
}

/** Renames `top` to `new_top` with the stub as the server. */
async function rename(stub: Stub, add: Record<string, string | Uint8Array> = {}): Promise<Renamed> {
  const workspace = makeWorkspace(files);
  for (const [path, content] of Object.entries(add)) workspace.write(path, content);
  const before = snapshot(workspace);
  const home = makeHome(stubServers({ python: stub }));
  await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
  const args = { name_path: 'top', relative_path: 'a.py', new_name: 'new_top' };
  const answer = await client.call('rename_symbol', args);
  const { edits } = projectState(home, workspace.root);
  const kept = ['lock', 'history'];
  expect(existsSync(edits) ? readdirSync(edits).filter((name) => !kept.includes(name)) : []).toEqual([]);
  const after = snapshot(workspace);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = paths.filter((path) => before[path] !== after[path]).map((path) => [path, after[path]]);
  return { answer, workspace, changed: Object.fromEntries(changed) };
}

function snapshot({ root }: Workspace): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const ours = paths.map((path) => path.slice(root.length + 1)).filter((path) => !path.startsWith('.serena/'));
  return Object.fromEntries(ours.map((path) => [path, readFileSync(join(root, path), 'latin1')]));
}

/** Returns a stub that answers renames with `answer`, usually a `WorkspaceEdit`. */
function answering(answer: unknown, more: Record<string, string> = {}): Stub {
  return ['answers-renames', { answer: JSON.stringify(answer), ...more }];
}

const replacing = (line: number, from: number, to: number, newText = 'new_top') => ({
  range: { start: { line, character: from }, end: { line, character: to } },
  newText,
});
const definition = replacing(0, 4, 7);
const imported = replacing(0, 14, 17);
const called = replacing(2, 0, 3);
const document = (path: string, edits: readonly unknown[]) => ({
  textDocument: { uri: `{root}/${path}`, version: null },
  edits,
});
const renamedA = 'def new_top():\n    pass\n';
const renamedB = 'from a import new_top\n\nnew_top()\n';

function expectRefusal({ answer, changed }: Renamed, ...parts: readonly string[]): void {
  expect(answer).toMatchObject({ isError: true });
  expect(answer.blocks).toHaveLength(1);
  for (const part of parts) expect(answer.text).toContain(part);
  expect(answer.text).not.toMatch(/\n\s+at /);
  expect(changed).toEqual({});
}

/**
 * Answers that must change nothing, with parts of the expected error and, optionally, additional files of the project.
 */
const refused: readonly (readonly [
  name: string,
  Stub,
  parts: readonly string[],
  add?: Record<string, string | Uint8Array>,
])[] = [
  ['null', answering(null), ['ValueError', 'finds nothing to rename at this position', '`find_referencing_symbols`']],
  ['an empty object', answering({}), ['ValueError', 'proposed no changes']],
  ['an empty list', answering({ documentChanges: [] }), ['ValueError', 'proposed no changes']],
  ['lists without edits', answering({ changes: { '{root}/a.py': [] } }), ['ValueError', 'proposed no changes']],
  [
    'edits that change nothing',
    answering({ changes: { '{root}/a.py': [replacing(0, 4, 7, 'top')] } }),
    ['ValueError', 'proposed no changes'],
  ],
  [
    'a form that LSP does not define',
    answering({ changes: 7 }),
    ['SolidLSPException', 'a form that LSP does not define'],
  ],
  [
    'a snippet',
    answering({ documentChanges: [document('a.py', [{ range: definition.range, snippet: { value: '$1' } }])] }),
    ['ValueError', 'snippet'],
  ],
  [
    'no symbol to rename',
    ['answers-renames', { prepared: 'null' }],
    ['ValueError', 'finds nothing to rename at this position'],
  ],
  ['no renames at all', ['answers-renames', { cannot: 'rename' }], ['SolidLSPException', 'pyright', 'cannot rename']],
  [
    'a file outside the project',
    answering({ changes: { '{root}/a.py': [definition], '{root}/../other.py': [definition] } }),
    ['ValueError', '/other.py` is outside the project', 'nothing was changed'],
  ],
  [
    'a file that is ignored',
    answering({ documentChanges: [document('a.py', [definition]), document('made/d.py', [replacing(0, 0, 3)])] }),
    ['ValueError', '`made/d.py` is ignored', 'nothing was changed'],
    { 'made/d.py': 'top()\n' },
  ],
  [
    'a file of a virtual environment',
    answering({ changes: { '{root}/a.py': [definition], '{root}/.venv/e.py': [replacing(0, 0, 3)] } }),
    ['ValueError', '`.venv/e.py` is not one of the project'],
    { '.venv/e.py': 'top()\n' },
  ],
  [
    'a file that cannot be decoded',
    answering({ changes: { '{root}/a.py': [definition], '{root}/odd.py': [replacing(0, 0, 3)] } }),
    ['UnicodeDecodeError', '`odd.py`'],
    { 'odd.py': Buffer.from('top() # \xe9\n', 'latin1') },
  ],
  [
    'a file that does not exist',
    answering({ changes: { '{root}/a.py': [definition], '{root}/gone.py': [replacing(0, 0, 3)] } }),
    ['FileNotFoundError', '`gone.py`'],
  ],
  [
    'edits that overlap',
    answering({ changes: { '{root}/a.py': [definition], '{root}/b.py': [imported, replacing(0, 16, 18)] } }),
    ['ValueError', '`b.py`', 'overlap'],
  ],
  [
    'a line that the file does not have',
    answering({ changes: { '{root}/a.py': [definition], '{root}/b.py': [replacing(9, 0, 1)] } }),
    ['InvalidTextLocationError', '`b.py`', 'line 9'],
  ],
  [
    'a range that ends before it begins',
    answering({ changes: { '{root}/a.py': [replacing(0, 7, 4)] } }),
    ['InvalidTextLocationError', '`a.py`'],
  ],
  [
    'an ambiguous range in a line with a byte order mark',
    answering({ changes: { '{root}/a.py': [definition], '{root}/marked.py': [replacing(0, 3, 5)] } }),
    ['ValueError', '`marked.py`', 'byte order mark'],
  ],
  [
    'a new file at the path of an existing one',
    answering({ documentChanges: [document('a.py', [definition]), { kind: 'create', uri: '{root}/c.py' }] }),
    ['FileExistsError', '`c.py`'],
  ],
  [
    'a move to the path of an existing file',
    answering({ documentChanges: [{ kind: 'rename', oldUri: '{root}/a.py', newUri: '{root}/c.py' }] }),
    ['FileExistsError', '`c.py`'],
  ],
  [
    'a move of a directory',
    answering({ documentChanges: [{ kind: 'rename', oldUri: '{root}/sub', newUri: '{root}/other' }] }),
    ['IsADirectoryError', '`sub`'],
    { 'sub/f.py': 'x = 1\n' },
  ],
  [
    'a deletion of a file that does not exist',
    answering({ documentChanges: [document('a.py', [definition]), { kind: 'delete', uri: '{root}/gone.py' }] }),
    ['FileNotFoundError', '`gone.py`'],
  ],
];

describe('nothing is changed if the server returns', () => {
  for (const [name, stub, parts, add = {}] of refused) {
    test(name, async () => expectRefusal(await rename(stub, add), ...parts), timeoutMs);
  }
});

describe('rename_symbol', () => {
  test(
    'applies only one of two forms of the same changes',
    async () => {
      const changes = { '{root}/a.py': [definition], '{root}/c.py': [replacing(0, 0, 1, 'y')] };
      const documentChanges = [document('a.py', [definition]), document('b.py', [imported, called])];
      const { answer, changed } = await rename(answering({ changes, documentChanges }));
      expect(answer.text).toStartWith(
        'Renamed `top` to `new_top`: 2 files changed, 3 places; incomplete: 1 open\nFiles:\n  a.py: 1\n  b.py: 2\nOpen (0-based lines):\n',
      );
      expect(changed).toEqual({ 'a.py': renamedA, 'b.py': renamedB });
    },
    timeoutMs,
  );

  test(
    'creates, moves, edits and deletes files',
    async () => {
      const documentChanges = [
        { kind: 'create', uri: '{root}/deep/new.py', options: { ignoreIfExists: true } },
        document('deep/new.py', [replacing(0, 0, 0, 'import moved\n')]),
        document('a.py', [definition]),
        { kind: 'rename', oldUri: '{root}/a.py', newUri: '{root}/moved.py' },
        { kind: 'create', uri: '{root}/c.py', options: { ignoreIfExists: true } },
        { kind: 'rename', oldUri: '{root}/b.py', newUri: '{root}/b2.py' },
        document('b2.py', [imported, called]),
        { kind: 'delete', uri: '{root}/marked.py' },
        { kind: 'delete', uri: '{root}/gone.py', options: { ignoreIfNotExists: true } },
      ];
      const { answer, changed } = await rename(answering({ documentChanges }));
      // Counted: `deep/new.py`, `moved.py`, `b2.py` and `marked.py`.
      expect(answer.text).toBe(
        'Renamed `top` to `new_top`: 4 files changed, 5 places; complete\nFiles:\n  b2.py: 2\n  deep/new.py: 1\n  marked.py: 1\n  moved.py: 1',
      );
      expect(changed).toEqual({
        'a.py': undefined,
        'moved.py': renamedA,
        'b.py': undefined,
        'b2.py': renamedB,
        'deep/new.py': 'import moved\n',
        'marked.py': undefined,
      });
    },
    timeoutMs,
  );

  test(
    'makes the changed files visible to the next queries',
    async () => {
      const workspace = makeWorkspace(files);
      const documentChanges = [
        document('a.py', [definition]),
        { kind: 'rename', oldUri: '{root}/a.py', newUri: '{root}/moved.py' },
        document('b.py', [imported, called]),
        { kind: 'delete', uri: '{root}/c.py' },
      ];
      const home = makeHome(stubServers({ python: answering({ documentChanges }) }));
      await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
      for (const file of ['a.py', 'b.py', 'c.py']) await client.ask('get_symbols_overview', { relative_path: file });
      await client.ask('rename_symbol', { name_path: 'top', relative_path: 'a.py', new_name: 'new_top' });
      expect(await client.ask('find_symbol', { name_path_pattern: 'top' })).toBe('[]');
      expect(await client.ask('get_symbols_overview', { relative_path: 'moved.py' })).toBe('{"Function": ["new_top"]}');
      for (const gone of ['a.py', 'c.py']) {
        const answer = await client.call('get_symbols_overview', { relative_path: gone });
        expect(answer.text).toContain('FileNotFoundError');
      }
      const uses = await client.ask('find_referencing_symbols', { name_path: 'new_top', relative_path: '' });
      expect(Object.keys(JSON.parse(uses))).toEqual(['b.py']);
    },
    timeoutMs,
  );

  test(
    'detects whether columns count the byte order mark',
    async () => {
      for (const start of [0, 1]) {
        const changes = { '{root}/a.py': [definition], '{root}/marked.py': [replacing(0, start, start + 3)] };
        const { changed } = await rename(answering({ changes }));
        expect(Buffer.from(changed['marked.py'] ?? '', 'latin1').toString()).toBe('\ufeffnew_top()\n');
      }
    },
    timeoutMs,
  );

  test(
    'limits columns past the end of a line, and the line after the last, to the end',
    async () => {
      const changes = {
        '{root}/a.py': [definition],
        '{root}/c.py': [replacing(0, 4, 999, '2'), replacing(1, 0, 0, 'y = 2\n')],
        '{root}/b.py': [{ range: { start: { line: 0, character: 0 }, end: { line: 4, character: 0 } }, newText: '' }],
      };
      const { changed } = await rename(answering({ changes }));
      expect(changed).toEqual({ 'a.py': renamedA, 'b.py': '', 'c.py': 'x = 2\ny = 2\n' });
    },
    timeoutMs,
  );

  test(
    'lists references that the server did not rename, and no prose',
    async () => {
      const many = Array.from({ length: 30 }, (_, index) => `line ${index} has top and top`).join('\n');
      const { answer, changed } = await rename(answering({ changes: { '{root}/a.py': [definition] } }), {
        'many.txt': many,
        'stop.txt': 'stop topper a_top\n',
        '.venv/lib.py': 'top()\n',
      });
      expect(changed).toEqual({ 'a.py': renamedA });
      expect(answer.blocks).toEqual([
        [
          'Renamed `top` to `new_top`: 1 file changed, 1 place in `a.py`; incomplete: 3 open',
          'Open (0-based lines):',
          '  pyright lists it as a reference, but does not rename it:',
          '    [1] b.py:0: from a import top',
          '    [2] b.py:2: top()',
          '    [3] marked.py:0: top()',
          '  To rename these too, keep the ids of those that mean it: rename_symbol {"name_path":"new_top","relative_path":"a.py","new_name":"new_top","also":[1,2,3]}',
        ].join('\n'),
      ]);
    },
    timeoutMs,
  );

  test(
    'changes nothing if a file changes between the request and the answer',
    async () => {
      for (const file of ['a.py', 'b.py']) {
        const writes = JSON.stringify({ [file]: `# Changed\n${files['b.py']}` });
        const { answer, changed } = await rename(['answers-renames', { writes }]);
        expect(answer.text).toContain(`ValueError: \`${file}\` changed`);
        expect(changed).toEqual({ [file]: `# Changed\n${files['b.py']}` });
      }
    },
    timeoutMs,
  );

  test(
    'repeats the request after the server died, as nothing is written before it answers',
    async () => {
      const once = join(makeTempDir(), 'once');
      const dying = await rename(['exits-on-request', { method: 'textDocument/rename', once }]);
      expect(dying.answer.text).toContain('3 files changed, ');
      expect(dying.changed).toMatchObject({ 'a.py': renamedA, 'b.py': renamedB });
      const dead = await rename(['exits-on-request', { method: 'textDocument/rename' }]);
      expectRefusal(dead, 'SolidLSPException', 'ended (exit code 3)');
    },
    timeoutMs,
  );

  test(
    'refuses two paths to the same file',
    async () => {
      const workspace = makeWorkspace({ 'a.py': files['a.py'], '.serena/project.yml': 'project_name: p\n' });
      symlinkSync('a.py', workspace.path('link.py'));
      const changes = { '{root}/a.py': [definition], '{root}/link.py': [replacing(1, 4, 8, 'return')] };
      const home = makeHome(stubServers({ python: answering({ changes }) }));
      await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
      const args = { name_path: 'top', relative_path: 'a.py', new_name: 'new_top' };
      const answer = await client.call('rename_symbol', args);
      expect(answer.isError).toBe(true);
      expect(answer.text).toContain('`link.py`');
      expect(workspace.read('a.py')).toBe(files['a.py']);
    },
    timeoutMs,
  );
});

test(
  'requests a rename again that leaves out references, as the server may still have been reading files',
  async () => {
    const texts = { 'a.py': files['a.py'], 'b.py': files['b.py'] };
    const first = { changes: { '{root}/a.py': [definition] } };
    const complete = { changes: { ...first.changes, '{root}/b.py': [imported, called] } };
    await using workspace = makeWorkspace({ '.serena/project.yml': 'project_name: p\n', ...texts });
    const home = makeHome(stubServers({ python: answering(complete, { first: JSON.stringify(first) }) }));
    await using client = await startClient({ args: ['--project', workspace.root], env: { SERENA_HOME: home } });
    const args = { name_path: 'top', relative_path: 'a.py', new_name: 'new_top' };
    const { blocks } = await client.call('rename_symbol', args);
    expect(blocks).toEqual([
      'Renamed `top` to `new_top`: 2 files changed, 3 places; complete\nFiles:\n  a.py: 1\n  b.py: 2',
    ]);
    expect(workspace.read('b.py')).toBe(renamedB);
  },
  timeoutMs,
);
