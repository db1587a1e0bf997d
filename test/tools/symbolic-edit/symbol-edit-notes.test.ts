// Notes of edits by symbol: new syntax errors, and references that the server may have missed.
import { describe, expect, test } from 'bun:test';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';

// Builds gopls at first use.
const timeoutMs = 15 * 60_000;

const tsconfig =
  '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true, "types": [] } }\n';

interface Language {
  readonly name: string;
  readonly whyNot?: string | undefined;
  readonly file: string;
  readonly files: Readonly<Record<string, string>>;
  readonly good: string;
  /** Contains an unclosed bracket. */
  readonly bad: string;
  readonly line: number;
}

const languages: readonly Language[] = [
  {
    name: 'pyright',
    file: 'a.py',
    files: { 'a.py': 'x = 1\n\n\ndef target():\n    return undefined_name\n' },
    good: 'def target():\n    return also_undefined',
    bad: 'def target():\n    return (1',
    line: 4,
  },
  {
    name: 'typescript-language-server',
    file: 'a.ts',
    files: {
      'a.ts': 'const x = 1;\n\nfunction target() {\n  return undefinedName;\n}\n',
      'tsconfig.json': tsconfig,
      'package.json': '{ "type": "module" }\n',
    },
    good: 'function target() {\n  return alsoUndefined;\n}',
    bad: 'function target() {\n  return (1;\n}',
    line: 3,
  },
  {
    name: 'gopls',
    whyNot: whyNoGo(),
    file: 'a.go',
    files: {
      'a.go': 'package x\n\nfunc target() int {\n\treturn 1\n}\n',
      'go.mod': 'module example.test/x\n\ngo 1.21\n',
    },
    good: 'func target() int {\n\treturn undefinedName\n}',
    bad: 'func target() int {\n\treturn (1\n}',
    line: 3,
  },
];

describe('an edit that introduces syntax errors is made, and a note names their lines', () => {
  for (const { name, whyNot, file, files, good, bad, line } of languages) {
    testUnless(whyNot)(
      name,
      async () => {
        const { workspace, client } = await openShared(files);
        const target = { name_path: 'target', relative_path: file };
        const replace = async (body: string) => (await client.call('replace_symbol_body', { ...target, body })).blocks;
        // Waits until the server has read the project.
        await client.ask('find_referencing_symbols', target);
        // The syntax tree has the errors of a server that is late.
        const note = new RegExp(
          `^Note:\\n- \`${file}\` has .*new syntax errors? since this edit(, according to its syntax tree)? \\(0-based lines\\): line ${line}: `,
        );
        const broken = await replace(bad);
        expect(broken).toEqual(['OK', expect.stringMatching(note)]);
        expect(workspace.read(file)).toContain(bad);
        // The number of syntax errors does not change.
        expect(await client.call('insert_before_symbol', { ...target, body: '\n' })).toMatchObject({ blocks: ['OK'] });
        workspace.write(file, files[file] ?? '');
        // Notes do not name errors of other kinds; `get_diagnostics_for_file` does.
        expect(await replace(good)).toEqual(['OK']);
      },
      timeoutMs,
    );
  }
});

test(
  'a class keeps a statement after its only method is deleted',
  async () => {
    const { workspace, client } = await openShared({ 'a.py': 'class A:\n    def m(self): pass\n\n\nx = 1\n' });
    const answer = await client.call('safe_delete_symbol', { name_path: 'A/m', relative_path: 'a.py' });
    expect(answer.blocks).toEqual([
      'Deleted `A/m`: 1 file changed, 1 place in `a.py`; complete',
      'Note:\n- wrote `pass` into the block that it leaves empty',
    ]);
    expect(workspace.read('a.py')).toBe('class A:\n    pass\n\n\nx = 1\n');
  },
  timeoutMs,
);

describe('if a server searches only a part of the project', () => {
  // gopls searches one module unless a `go.work` joins them.
  const modules = {
    'a/go.mod': 'module example.test/a\n\ngo 1.21\n',
    'a/a.go': 'package a\n\n// Format renders.\nfunc Format(cents int) string { return "" }\n',
    'b/go.mod': 'module example.test/b\n\ngo 1.21\n\nrequire example.test/a v0.0.0\n\nreplace example.test/a => ../a\n',
    'b/b.go': 'package b\n\nimport "example.test/a"\n\nvar Label = a.Format(1)\n',
  };
  const target = { name_path: 'Format', relative_path: 'a/a.go' };

  testUnless(whyNoGo())(
    'a symbol that the rest uses is not deleted',
    async () => {
      const { workspace, client } = await openShared(modules);
      const answer = await client.call('safe_delete_symbol', target);
      expect(answer.text).toStartWith('Cannot delete `Format`; incomplete: 1 open\n');
      expect(answer.text).toContain('\n    b/b.go:4: ');
      expect(workspace.read('a/a.go')).toBe(modules['a/a.go']);
    },
    timeoutMs,
  );

  testUnless(whyNoGo())(
    'a rename also changes the rest',
    async () => {
      const { workspace, client } = await openShared(modules);
      const answer = await client.call('rename_symbol', { ...target, new_name: 'Render' });
      expect(answer.text).toStartWith('Renamed `Format` to `Render`: 2 files changed, ');
      expect(workspace.read('b/b.go')).toBe(modules['b/b.go'].replace('Format', 'Render'));
    },
    timeoutMs,
  );
});

test(
  'a rename is refused if it includes a file whose lines the server counts differently',
  async () => {
    const files = {
      'a.ts': 'export function target() {}\n',
      'b.ts': "import { target } from './a.ts';\n\nexport const s = '\u2028';\ntarget();\n",
      'tsconfig.json': tsconfig,
      'package.json': '{ "type": "module" }\n',
    };
    const { workspace, client } = await openShared(files);
    const args = { name_path: 'target', relative_path: 'a.ts', new_name: 'other' };
    const answer = await client.call('rename_symbol', args);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('cannot edit `b.ts` by symbol: line 2 contains a line break');
    expect([workspace.read('a.ts'), workspace.read('b.ts')]).toEqual([files['a.ts'], files['b.ts']]);
  },
  timeoutMs,
);

test(
  'a deletion names the comments and strings that name the symbol',
  async () => {
    const { client } = await openShared({
      'wrap.py': 'class _Wrapper(int):\n    pass\n\n\ndef get():\n    pass\n',
      'make.py': `SOURCE = "lambda one: __import__('wrap')._Wrapper(one)"\n# We get one here, not with \`get\`.\n`,
    });
    const remove = async (name: string) =>
      (await client.call('safe_delete_symbol', { name_path: name, relative_path: 'wrap.py' })).blocks;
    expect(await remove('_Wrapper')).toEqual([
      'Deleted `_Wrapper`: 1 file changed, 1 place in `wrap.py`; complete\nMentioned (0-based lines):\n  make.py:0: SOURCE = "lambda one: __import__(\'wrap\')._Wrapper(one)"',
    ]);
    expect(await remove('get')).toEqual([
      'Deleted `get`: 1 file changed, 1 place in `wrap.py`; complete\nMentioned (0-based lines):\n  make.py:1: # We get one here, not with `get`.',
    ]);
  },
  timeoutMs,
);
