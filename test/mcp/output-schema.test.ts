// Structured results have data of the schema that the tool lists. The client of the SDK refuses others.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { listNamedFiles } from '../../src/config/named-file.ts';
import { outputSchemas } from '../../src/generated/input-schemas.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { ownHome } from '../support/homes.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace, type Workspace } from '../support/workspace.ts';

const timeoutMs = 240_000;

const files = {
  'shop.py':
    'class Basket:\n    def total(self) -> int:\n        return 1\n\n\ndef double(basket: Basket) -> int:\n    return 2 * basket.total()\n',
  'use.py':
    'from shop import Basket, double\n\n\ndef use(basket: Basket) -> int:\n    return double(basket)\n\n\ndef guess(basket):\n    return basket.total()\n',
};

const basket = { name_path: 'Basket', kind: 'Class', relative_path: 'shop.py', start_line: 0, end_line: 2 };
const total = { name: 'total', kind: 'Method', start_line: 1, end_line: 2 };

let workspace: Workspace;
let client: TestClient;

beforeAll(async () => {
  workspace = makeWorkspace(files);
  workspace.initGit();
  const env = ownHome({ included_optional_tools: ['change_signature', 'move_symbol', 'verify_changes'] });
  client = await startClient({ args: ['--project', workspace.root], env });
  // From now on the client validates.
  await client.tools();
}, timeoutMs);

afterAll(() => client.close());

async function dataOf(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { structuredContent, isError, content } = await client.client.callTool({ name, arguments: args }, undefined, {
    timeout: timeoutMs,
  });
  expect({ content, isError }).toMatchObject({ isError: false });
  return Object(structuredContent).data;
}

describe('structured results', () => {
  test(
    'have symbols with their members, or with their sources',
    async () => {
      const found = await dataOf('find_symbol', { name_path_pattern: 'Basket', depth: 1 });
      expect(found).toEqual({ symbols: [{ pattern: 'Basket', ...basket, children: [total] }] });
      const body = await dataOf('find_symbol', { name_path_pattern: ['Basket', 'none'], include_body: true });
      expect(body).toEqual({
        symbols: [{ pattern: 'Basket', ...basket, body: files['shop.py'].split('\n').slice(0, 3).join('\n') }],
      });
      const overview = await dataOf('get_symbols_overview', { relative_path: ['shop.py', 'none.py'], depth: 1 });
      const owner = { name: 'Basket', kind: 'Class', start_line: 0 };
      const double = { name: 'double', kind: 'Function', start_line: 5, end_line: 6 };
      expect(overview).toEqual({
        files: [{ relative_path: 'shop.py', symbols: [{ ...total, ...owner, children: [total] }, double] }],
        errors: [{ item: 'none.py', message: expect.any(String) }],
      });
    },
    timeoutMs,
  );

  test(
    'have references, or every occurrence with its verdict',
    async () => {
      const target = { name_path: 'Basket/total', relative_path: 'shop.py' };
      const container = { name_path: 'double', kind: 'Function' };
      expect(await dataOf('find_referencing_symbols', target)).toEqual({
        references: [{ relative_path: 'shop.py', line: 6, column: 22, text: 'return 2 * basket.total()', container }],
      });
      expect(await dataOf('find_referencing_symbols', { ...target, group_by: 'verdict' })).toMatchObject({
        occurrences: expect.arrayContaining([
          expect.objectContaining({ relative_path: 'shop.py', line: 6, verdict: 'own' }),
          expect.objectContaining({ relative_path: 'use.py', line: 8, verdict: 'open' }),
        ]),
      });
    },
    timeoutMs,
  );

  test(
    'have what is around a symbol, and how much of it the limit leaves out',
    async () => {
      const whole = await dataOf('explore_symbol', { name_path: 'double', relative_path: 'shop.py' });
      expect(whole).toMatchObject({
        symbol: { name_path: 'double', kind: 'Function', relative_path: 'shop.py', start_line: 5, end_line: 6 },
        body: 'def double(basket: Basket) -> int:\n    return 2 * basket.total()',
        callers: [{ name_path: 'use', kind: 'Function', relative_path: 'use.py', lines: [4] }],
        callees: [{ name_path: 'Basket/total', kind: 'Method', relative_path: 'shop.py', lines: [1] }],
      });
      expect(whole).not.toHaveProperty('omitted');
      const long = `def long(x):\n${'    x = x + 1\n'.repeat(300)}    return x\n`;
      workspace.write('long.py', long);
      const partial = await dataOf('explore_symbol', { name_path: 'long', relative_path: 'long.py', max_tokens: 300 });
      expect(partial).toMatchObject({ omitted: { body: 302 } });
      expect(partial).not.toHaveProperty('body');
      workspace.remove('long.py');
    },
    timeoutMs,
  );

  test(
    'are absent if the text is only a part of the answer',
    async () => {
      const args = { name_path_pattern: 'Basket', include_body: true, max_answer_chars: 60 };
      expect(await dataOf('find_symbol', args)).toBeUndefined();
    },
    timeoutMs,
  );

  test(
    'have edits with what they leave open, and what changed since',
    async () => {
      const rename = { name_path: 'Basket/total', relative_path: 'shop.py', new_name: 'sum' };
      const planned = await dataOf('rename_symbol', { ...rename, dry_run: true });
      const open = [{ id: 1, file: 'use.py', line: 8, text: 'return basket.total()', why: expect.any(String) }];
      expect(planned).toMatchObject({ complete: false, dry_run: true, places: { 'shop.py': 2 }, open });
      expect(Object(planned).diff).toContain('+    def sum(self) -> int:');
      const renamed = await dataOf('rename_symbol', rename);
      expect(renamed).toMatchObject({ complete: false, dry_run: false, places: { 'shop.py': 2 }, open });
      expect(renamed).not.toHaveProperty('diff');
      const base = { base: 'HEAD' };
      expect(await dataOf('changed_symbols', base)).toMatchObject({
        deleted_but_name_in_use: { 'shop.py': { 'Basket/total': { matches_of_name: { 'use.py': [8] } } } },
        added: { 'shop.py': ['Basket/sum'] },
        changed: { 'shop.py': { double: { line: 5, users: { 'use.py': { use: [4] } } } } },
      });
      expect(
        await dataOf('change_signature', {
          name_path: 'double',
          relative_path: 'shop.py',
          changes: [{ add: 'factor: int = 2' }],
        }),
      ).toMatchObject({ done: expect.any(String), places: { 'shop.py': 1 } });
      expect(
        await dataOf('safe_delete_symbol', { name_path_pattern: 'Basket', relative_path: 'shop.py' }),
      ).toMatchObject({
        complete: false,
      });
      expect(await dataOf('rename_file', { relative_path: 'use.py', new_relative_path: 'uses.py' })).toMatchObject({
        places: expect.any(Object),
      });
      const move = { name_path: 'double', relative_path: 'shop.py', new_relative_path: 'double.py' };
      expect(await dataOf('move_symbol', move)).toMatchObject({ places: { 'double.py': expect.any(Number) } });
      expect(await dataOf('verify_changes', base)).toMatchObject({
        verdict: expect.any(String),
        open: [{ file: 'uses.py', line: 9, text: 'return basket.total()', reason: expect.any(String) }],
      });
    },
    timeoutMs,
  );

  test(
    'have schemas only in contexts whose answers are for programs',
    async () => {
      const lists = new Map<string, readonly string[]>();
      for (const { name } of listNamedFiles('contexts', makeTempDir('home'))) {
        await using own = await startClient({ args: ['--context', name, '--project', workspace.root] });
        const listed = (await own.tools()).filter(({ outputSchema }) => outputSchema !== undefined);
        if (listed.length > 0)
          lists.set(
            name,
            listed.map((tool) => tool.name),
          );
        for (const tool of listed) expect(tool.outputSchema).toEqual(JSON.parse(outputSchemas[tool.name] ?? '{}'));
      }
      expect([...lists.keys()]).toEqual(['agent', 'desktop-app', 'oaicompat-agent']);
    },
    timeoutMs,
  );
});
