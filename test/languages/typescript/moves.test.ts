import { beforeAll, describe, expect, test } from 'bun:test';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { expectClearError } from '../../support/clear.ts';
import { checkTypes, expectCompiles } from '../../support/compiles.ts';
import { trustedWithActions } from '../../support/language-tests/code-actions.ts';
import { openShared, type SharedSession } from '../../support/shared-session.ts';

const timeoutMs = 300_000;
const place = (name_path: string, relative_path: string, new_relative_path: string) => ({
  name_path,
  relative_path,
  new_relative_path,
});

describe('move_symbol in TypeScript', () => {
  beforeAll(() => install(typescript), installTimeoutMs);
  const files = {
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"noEmit":true,"module":"nodenext","types":[]},"include":["src"]}',
    'package.json': '{"type":"module"}',
    'src/units.ts': "export const unit = 'EUR';\n",
    'src/prices.ts':
      "import { unit } from './units.js';\n\n/** A price. */\nexport interface Price {\n  amount: number;\n}\n\nconst rate = 2;\n\n/** Returns a price. */\nexport function price(amount: number): Price {\n  return { amount: amount * rate };\n}\n\nexport const label = (p: Price) => p.amount + unit;\n\nexport const one = 1,\n  two = 2;\n",
    'src/shop/labels.ts': "export const currency = 'EUR';\n",
    'src/main.ts':
      "import { label, price } from './prices.js';\nimport * as prices from './prices.js';\n\nlabel(price(1));\nprices.label(prices.price(prices.one + prices.two));\n",
  };

  test(
    'moves to an existing and to a new file, corrects imports, and can be tried and undone',
    async () => {
      const { workspace: project, client } = await open(files);
      const labels = place('label', 'src/prices.ts', 'src/shop/labels.ts');
      const tried = await client.ask('move_symbol', { ...labels, dry_run: true });
      expect(tried).toContain(': 3 files changed, 8 places; complete\n');
      expect(project.read('src/prices.ts')).toBe(files['src/prices.ts']);
      expect(await client.ask('move_symbol', labels)).toBe(
        'Moved `label` from `src/prices.ts` to `src/shop/labels.ts`: 3 files changed, 8 places; complete\nFiles:\n  src/main.ts: 4\n  src/prices.ts: 2\n  src/shop/labels.ts: 2',
      );
      expect(project.read('src/shop/labels.ts')).toBe(
        "import { Price } from '../prices.js';\nimport { unit } from '../units.js';\n\nexport const currency = 'EUR';\nexport const label = (p: Price) => p.amount + unit;\n",
      );
      expect(project.read('src/main.ts')).toContain("import { label } from './shop/labels.js';\n");
      expectCompiles(project, checkTypes);
      await client.ask('move_symbol', place('price', 'src', 'src/shop/make.ts'));
      expect(project.read('src/shop/make.ts')).toContain('): Price {\n  return { amount: amount * rate };\n}\n');
      expect(project.read('src/prices.ts')).toContain('export const rate = 2;');
      expectCompiles(project, checkTypes);
      await client.ask('edit_history', { action: 'undo', count: 2 });
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );

  test(
    'exports the name from the old file on request, and changes no user',
    async () => {
      const { workspace: project, client } = await open({
        ...files,
        'src/kinds.ts': 'export type Kind = 1;\ntype Own = Kind;\nexport const own: Own = 1;\n',
      });
      const labels = { ...place('label', 'src/prices.ts', 'src/shop/labels.ts'), re_export: true };
      expect(await client.ask('move_symbol', labels)).toBe(
        'Moved `label` from `src/prices.ts` to `src/shop/labels.ts`: 2 files changed, 5 places; complete\nFiles:\n  src/prices.ts: 3\n  src/shop/labels.ts: 2',
      );
      expect(project.read('src/prices.ts')).toEndWith("export { label } from './shop/labels.js';\n");
      await client.ask('move_symbol', { ...place('Price', 'src/prices.ts', 'src/shop/kinds.ts'), re_export: true });
      expect(project.read('src/prices.ts')).toEndWith("export type { Price } from './shop/kinds.js';\n");
      expect(project.read('src/main.ts')).toBe(files['src/main.ts']);
      expectCompiles(project, checkTypes);
      const own = { ...place('Own', 'src/kinds.ts', 'src/units.ts'), re_export: true };
      expectClearError(await client.call('move_symbol', own), 'does not begin with `export`');
    },
    timeoutMs,
  );

  test(
    'refuses what cannot be moved, and changes nothing',
    async () => {
      const passing = {
        'src/passing.ts': "export * from './prices.js';\n",
        'src/user.ts': "import { label } from './passing.js';\n\nlabel({ amount: 1 });\n",
      };
      const others = { ...passing, 'src/loose.txt': '', 'other/apart.ts': 'export {};\n' };
      const { workspace: project, client } = await open({ ...files, ...others });
      const refuse = async (call: object, ...parts: string[]) => {
        expectClearError(await client.call('move_symbol', { ...call }), ...parts);
      };
      await refuse(place('Price/amount', 'src/prices.ts', 'src/units.ts'), 'only top-level declarations');
      await refuse(place('two', 'src/prices.ts', 'src/units.ts'), 'its declaration also declares `one`');
      await refuse(place('label', 'src/prices.ts', 'src/prices.ts'), 'is in `src/prices.ts` already');
      await refuse(place('label', 'src/prices.ts', '../label.ts'), 'outside the project');
      await refuse(place('label', 'src/prices.ts', 'src/units.ts'), '`src/user.ts` 0: ', 'pass `re_export`');
      await refuse(
        place('label', 'src/prices.ts', 'node_modules/x/label.ts'),
        'is not a file of typescript-language-server',
      );
      await refuse(place('label', 'src/prices.ts', 'src/loose.txt'), 'is not a file of typescript-language-server');
      await refuse(place('label', 'src/prices.ts', 'other/apart.ts'), 'move statements to the selected file');
      for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text);
    },
    timeoutMs,
  );
});

function open(files: Readonly<Record<string, string>>): Promise<SharedSession> {
  return openShared(files, { config: trustedWithActions });
}
