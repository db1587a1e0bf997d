// Callbacks have no name that code could use: what depends on them are the users of the symbol around them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 180_000;

const files = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true } }\n',
  'src/list.ts':
    'const traced = <T>(of: T): T => of;\n\nexport const doubled = traced((items: readonly number[]): number[] => {\n  const by = 2;\n  return items.map((item) => by * item);\n});\n',
  'src/sum.ts':
    "import { doubled } from './list';\n\nexport function sum(items: readonly number[]): number {\n  let all = 0;\n  items.forEach((item) => {\n    const [twice] = doubled([item]);\n    all += twice ?? 0;\n  });\n  return all;\n}\n",
  'src/unused.ts': "import { sum } from './sum';\n\nexport const none = sum([]);\n",
  'tests/sum.test.ts':
    "import { sum } from '../src/sum';\n\nexport function testSum() {\n  return sum([1]) === 2;\n}\n",
};

let workspace: Workspace;
let client: TestClient;

describe('callbacks', () => {
  beforeAll(async () => {
    workspace = makeWorkspace(files);
    workspace.initGit();
    client = await startClient({ args: ['--project', workspace.root] });
  }, timeoutMs);
  afterAll(async () => await client?.[Symbol.asyncDispose]());

  test(
    'changed_symbols lists the users of the function around a changed callback, over several levels',
    async () => {
      workspace.write('src/list.ts', files['src/list.ts'].replace('by * item', 'item * by'));
      const { compared: _, ...changes } = JSON.parse(await client.ask('changed_symbols', { base: 'HEAD' }));
      expect(changes).toEqual({
        changed: {
          'src/list.ts': {
            'doubled/traced() callback': {
              line: 2,
              users: { 'src/sum.ts': { 'sum/items.forEach() callback': [5] } },
              indirect_users: { 'src/unused.ts': { none: [2] } },
              tests: { 'tests/sum.test.ts': { testSum: [3] } },
            },
          },
        },
      });
    },
    timeoutMs,
  );

  test(
    'explore_symbol lists the tests of the function around a callback, and repeats nothing outdated',
    async () => {
      const explore = async () =>
        await client.ask('explore_symbol', { name_path: 'doubled', relative_path: 'src/list.ts' });
      const first = await explore();
      expect(first).toContain('users: 1 in 1 file\nsrc/sum.ts sum/items.forEach() callback 5\n');
      expect(first).toContain('tests: 1 in 1 file\ntests/sum.test.ts testSum 3');
      expect(await explore()).toBe(first);
      workspace.write('src/more.ts', "import { doubled } from './list';\n\nexport const four = doubled([2]);\n");
      expect(await explore()).toContain('users: 2 in 2 files\nsrc/more.ts four 2\n');
      workspace.remove('src/more.ts');
      workspace.write('tests/sum.test.ts', 'export const nothing = 1;\n');
      const last = await explore();
      expect(last).toContain('users: 1 in 1 file\n');
      expect(last).toContain('tests: none');
    },
    timeoutMs,
  );
});
