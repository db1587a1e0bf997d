// Names that rename_symbol accepts and refuses, and a rename that is reverted.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

// Downloads language servers at first use.
const timeoutMs = 180_000;

const files = {
  'package.json': '{ "name": "shop", "type": "module" }\n',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true, "types": [] } }\n',
  'src/shape.ts': `export class Sq {
  side = 1;
  area(): number {
    return this.side;
  }
}

export class Circle {}
`,
  'src/index.ts': "export { Sq, Circle } from './shape.ts';\nexport { Sq as Square } from './shape.ts';\n",
  'src/local.ts': "import { Sq } from './shape.ts';\n\nconst made = new Sq();\nexport { made, Sq };\n",
  'src/user.ts': "import { Sq, Square } from './index.ts';\n\nexport const both = [new Sq(), new Square()];\n",
  'py/shop.py': 'class Order:\n    def total(self):\n        return 1\n\n    amount = 2\n\n\nclass Status:\n    pass\n',
};

let workspace: Workspace;
let client: TestClient;
beforeAll(async () => {
  workspace = makeWorkspace(files);
  client = await startClient({ args: ['--project', workspace.root] });
});
afterAll(async () => await client.close());

const python = { name_path: 'Order', relative_path: 'py/shop.py' };
const typescript = { name_path: 'Sq', relative_path: 'src/shape.ts' };
const untouched = () => expect(Object.keys(files).map((file) => workspace.read(file))).toEqual(Object.values(files));

describe('a name that the language does not accept is refused with a reason', () => {
  test.each([
    [python, 'class', '`class` is a reserved word in Python'],
    [python, 'a b', '`a b` contains whitespace'],
    [python, 'x.y', '`x.y` is not a valid identifier in Python'],
    [python, '1st', '`1st` is not a valid identifier in Python'],
    [python, 'Order/amount2', 'pass the name alone: `amount2`'],
    [python, '', 'cannot rename to an empty `new_name`'],
    [typescript, 'a b', '`a b` contains whitespace'],
    [typescript, 'a\nb', 'contains whitespace or a control character'],
    [typescript, 'default', '`default` is a reserved word in TypeScript'],
    [typescript, 'x-y', '`x-y` is not a valid identifier in TypeScript'],
  ])(
    '%j to %j: %s',
    async (place, newName, problem) => {
      const { text, isError } = await client.call('rename_symbol', { ...place, new_name: newName });
      expect(isError).toBe(true);
      expect(text).toContain(problem);
      untouched();
    },
    timeoutMs,
  );
});

describe('a name that already exists in the scope is refused', () => {
  test.each([
    [python, 'Status', 'its scope already has `Status` (`py/shop.py`, line 7)'],
    [{ ...python, name_path: 'Order/total' }, 'amount', 'its scope already has `amount` (`py/shop.py`, line 4)'],
    [{ ...typescript, name_path: 'Sq/area' }, 'side', 'its scope already has `side` (`src/shape.ts`, line 1)'],
    [typescript, 'Circle', 'its scope already has `Circle` (`src/shape.ts`, line 7)'],
  ])(
    '%j to %j',
    async (place, newName, problem) => {
      const { text, isError } = await client.call('rename_symbol', { ...place, new_name: newName });
      expect(isError).toBe(true);
      expect(text).toContain(problem);
      expect(text).toContain('set `force` to true');
      untouched();
    },
    timeoutMs,
  );

  test(
    'unless it is forced',
    async () => {
      const forced = { ...python, name_path: 'Order/total', new_name: 'amount', force: true };
      expect((await client.call('rename_symbol', forced)).text).toStartWith('Renamed `Order/total` to `amount`');
      workspace.write('py/shop.py', files['py/shop.py']);
    },
    timeoutMs,
  );
});

test(
  'a rename and its reversal leave the same bytes, including aliases in re-exports',
  async () => {
    const rename = async (from: string, to: string) => {
      const { text } = await client.call('rename_symbol', { ...typescript, name_path: from, new_name: to });
      expect(text).toStartWith(`Renamed \`${from}\` to \`${to}\``);
    };
    await rename('Sq', 'Quad');
    expect(workspace.read('src/shape.ts')).toContain('export class Quad {');
    await rename('Quad', 'Sq');
    untouched();
  },
  timeoutMs,
);
