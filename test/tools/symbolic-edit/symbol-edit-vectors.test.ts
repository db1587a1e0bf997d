// Conformance cases of the tools that edit by symbol, with pyright; see docs/compatibility.md, Conformance tests.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../../support/client.ts';
import { copyFixture, type Workspace } from '../../support/workspace.ts';

const models = 'pkg/models.py';
const app = 'pkg/app.py';

let workspace: Workspace;
let client: TestClient;

beforeAll(async () => {
  workspace = copyFixture('tools', { as: 'proj' });
  client = await startClient({ args: ['--project', workspace.root] });
  // Downloads pyright at first use.
  await client.ask('get_symbols_overview', { relative_path: models });
}, 180_000);

beforeEach(() => {
  workspace.write(models, original.models);
  workspace.write(app, original.app);
});

afterAll(async () => await client.close());

const texts = () => [workspace.read(models), workspace.read(app)];

/** Makes a call that must succeed, and returns the new text of `pkg/models.py`. */
async function edit(tool: string, args: Record<string, unknown>): Promise<string> {
  const done = tool === 'safe_delete_symbol' ? expect.stringMatching(/^Deleted `.*; complete$/) : 'OK';
  expect(await client.call(tool, { relative_path: models, ...args })).toMatchObject({ isError: false, blocks: [done] });
  return workspace.read(models);
}

/** Makes a call that must fail without changing either file, and returns its message. */
async function refusal(tool: string, args: Record<string, unknown>): Promise<string> {
  const before = texts();
  const answer = await client.call(tool, { relative_path: models, ...args });
  expect(answer.isError).toBe(true);
  expect(texts()).toEqual(before);
  return answer.text;
}

const fixture = copyFixture('tools');
const original = { models: fixture.read(models), app: fixture.read(app) };

/** Returns the fixture's `pkg/models.py` with the only occurrence of `from` replaced. */
function withChange(from: string, to: string): string {
  expect(original.models.split(from)).toHaveLength(2);
  return original.models.replace(from, () => to);
}

describe('replace_symbol_body', () => {
  test('replaces the body by the trimmed text and keeps the text around it', async () => {
    const body = '\n  def helper2(self):\n        return 2\n\n';
    expect(await edit('replace_symbol_body', { name_path: 'Child/helper2', body })).toBe(
      withChange('    def helper2(self): return 1\n\n\n', '    def helper2(self):\n        return 2\n\n\n'),
    );
  });

  test('treats decorators as part of the body, as pyright does', async () => {
    const body = 'def run(self) -> int: return 0';
    expect(await edit('replace_symbol_body', { name_path: 'Base/run', body })).toBe(
      withChange('@abstractmethod\n    def run(self) -> int:\n        """Run doc."""', body),
    );
  });

  test('refuses a symbol of which the server reports only the name', async () => {
    const message = await refusal('replace_symbol_body', { name_path: 'LIMIT', body: 'LIMIT = 11' });
    expect(message).toStartWith('Error executing tool replace_symbol_body: ValueError: ');
    expect(message).toContain('`replace_content`');
  });

  test('refuses missing and ambiguous symbols, and paths outside the project', async () => {
    const rows = [
      ['ValueError', { name_path: 'nothing' }],
      ['ValueError', { name_path: 'run' }],
      ['ValueError', { name_path: 'run', relative_path: '../elsewhere.py' }],
      ['FileNotFoundError', { name_path: 'run', relative_path: 'nope.py' }],
      ['ValueError', { name_path: 'x', relative_path: 'build/gen.py' }],
      ['ValueError', { name_path: 'x', relative_path: 'uni.txt' }],
      ['AssertionError', { name_path: '/' }],
    ] as const;
    for (const [kind, args] of rows) {
      const message = await refusal('replace_symbol_body', { body: 'def x(): pass', ...args });
      expect([args, message]).toEqual([args, expect.stringContaining(`tool replace_symbol_body: ${kind}: `)]);
    }
  });

  test('finds the file without `relative_path`, and accepts an absolute name path and the older parameter name', async () => {
    expect(await edit('replace_symbol_body', { name_path_pattern: '/make2', relative_path: '', body: 'Z = 1' })).toBe(
      withChange('def make2(name: str) -> Base:\n    return make(name)', 'Z = 1'),
    );
  });
});

describe('insert_after_symbol', () => {
  test('inserts one empty line before a method', async () => {
    const body = '    def h3(self): pass';
    expect(await edit('insert_after_symbol', { name_path: 'Child/helper2', body })).toBe(
      withChange('helper2(self): return 1\n', 'helper2(self): return 1\n\n    def h3(self): pass\n'),
    );
  });

  test('inserts as many empty lines as the text begins with, and none after it', async () => {
    const body = '\r\n\n\n    def h3(self):\r\n        pass\n\n\n';
    expect(await edit('insert_after_symbol', { name_path: 'Child/helper2', body })).toBe(
      withChange('return 1\n', 'return 1\n\n\n\n    def h3(self):\n        pass\n'),
    );
  });

  test('appends to the end of a file', async () => {
    expect(await edit('insert_after_symbol', { name_path: 'make2', body: 'last = 1' })).toBe(
      `${original.models}\nlast = 1\n`,
    );
    workspace.write(models, original.models.trimEnd());
    expect(await edit('insert_after_symbol', { name_path: 'make2', body: 'last = 1' })).toBe(
      `${original.models}\nlast = 1\n`,
    );
  });

  test('refuses a symbol whose end is unknown', async () => {
    const message = await refusal('insert_after_symbol', { name_path: 'LIMIT', body: 'X = 1' });
    expect(message).toStartWith('Error executing tool insert_after_symbol: ValueError: ');
    expect(message).toContain('`insert_before_symbol`');
  });
});

describe('insert_before_symbol', () => {
  test('keeps leading and trailing empty lines of the text', async () => {
    expect(await edit('insert_before_symbol', { name_path: 'make', body: '\n\nZ = 1\n\n\n\n' })).toBe(
      withChange('def make(name', '\n\nZ = 1\n\n\n\ndef make(name'),
    );
  });

  test('inserts one empty line before a function', async () => {
    expect(await edit('insert_before_symbol', { name_path: 'make2', body: 'Q = 1' })).toBe(
      withChange('def make2', 'Q = 1\n\ndef make2'),
    );
  });

  test('inserts no empty line before a constant, and keeps the indentation', async () => {
    expect(await edit('insert_before_symbol', { name_path: 'LIMIT', body: '  # Why  \r\n' })).toBe(
      withChange('LIMIT = 10', '  # Why\nLIMIT = 10'),
    );
  });

  test('inserts above decorators', async () => {
    expect(await edit('insert_before_symbol', { name_path: 'Base/run', body: '    a = 1' })).toBe(
      withChange('    @abstractmethod', '    a = 1\n\n    @abstractmethod'),
    );
  });
});

describe('rename_symbol and safe_delete_symbol', () => {
  test('rename all references, count files, and list references', async () => {
    const renamed = await client.call('rename_symbol', {
      name_path: 'make',
      relative_path: models,
      new_name: 'build_it',
    });
    expect(renamed).toMatchObject({
      isError: false,
      blocks: [expect.stringMatching(/^Renamed `make` to `build_it`: 2 files changed, \d+ places; complete\n/)],
    });
    const [modelsText = '', appText = ''] = texts();
    expect(modelsText).toBe(original.models.replaceAll(/\bmake\b/g, 'build_it'));
    expect(appText).toStartWith('from pkg.models import build_it, Child\n\nobj = build_it("a")\n');
    const kept = await client.call('safe_delete_symbol', { name_path: 'build_it', relative_path: models });
    const line = modelsText.split('\n').indexOf('    return build_it(name)');
    expect(kept.isError).toBe(false);
    expect(kept.text).toStartWith('Cannot delete `build_it`; incomplete: 3 open\n');
    const rows = [...kept.text.matchAll(/^ {4}([^:]+):(\d+): /gm)].map(([, file, number]) => `${file}:${number}`);
    expect(rows).toEqual([`${app}:0`, `${app}:2`, `${models}:${line}`]);
    expect(texts()).toEqual([modelsText, appText]);
  });

  test('delete an unused symbol and the empty lines that follow it', async () => {
    await edit('insert_after_symbol', { name_path: 'Child/helper2', body: '    def h3(self): pass' });
    expect(await edit('safe_delete_symbol', { name_path_pattern: 'Child/h3' })).toBe(
      withChange('    def helper2(self): return 1\n\n\n', '    def helper2(self): return 1\n\n'),
    );
    expect(await edit('safe_delete_symbol', { name_path_pattern: 'make2' })).toBe(
      withChange('    def helper2(self): return 1\n\n\n', '    def helper2(self): return 1\n\n').replace(
        'def make2(name: str) -> Base:\n    return make(name)\n',
        '',
      ),
    );
  });

  test('refuse symbols that cannot be renamed or deleted as a whole', async () => {
    const rows = [
      ['rename_symbol', 'ValueError', { name_path: 'make', new_name: '' }],
      ['rename_symbol', 'ValueError', { name_path: 'make', new_name: ' ' }],
      ['rename_symbol', 'ValueError', { name_path: 'make', new_name: 'make' }],
      ['rename_symbol', 'ValueError', { name_path: 'run', new_name: 'ran' }],
      ['safe_delete_symbol', 'ValueError', { name_path: 'run' }],
      ['safe_delete_symbol', 'ValueError', { name_path: 'Base/count' }],
      ['safe_delete_symbol', 'AssertionError', { name_path: 'make2', relative_path: 'pkg' }],
      ['safe_delete_symbol', 'AssertionError', { name_path: 'make2', relative_path: '' }],
    ] as const;
    for (const [tool, kind, args] of rows) {
      const message = await refusal(tool, args);
      expect([args, message]).toEqual([args, expect.stringContaining(`tool ${tool}: ${kind}: `)]);
    }
  });
});
