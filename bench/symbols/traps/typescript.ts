import type { TrapWorkspace } from '../model.ts';

const config = (options: object, rest: object = {}) =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      types: [],
      ...options,
    },
    ...rest,
  });

/** Traps of TypeScript: one directory per difficulty, two of them projects of their own. */
export const typescriptTraps: TrapWorkspace = {
  files: {
    'tsconfig.json': config({ noEmit: true }, { include: ['src'] }),
    'package.json': '{ "name": "traps", "private": true }\n',

    'src/overloads/parse.ts': `export function parse(text: string): number; // !overload
export function parse(text: number): number; // ?overload
export function parse(text: unknown): number { // ?overload
  return Number(text);
}

export class Reader {
  parse(text: string): number {
    return parse(text) + this.parse(''); // @overload
  }
}

export const both = parse('1') + parse(2); // @overload
`,

    'src/equal/first.ts': `export function price(): number { // !equal
  return 1;
}

export const double = 2 * price(); // @equal
`,
    'src/equal/second.ts': `export function price(): number {
  return 2;
}

export const double = 2 * price();
`,
    'src/equal/use.ts': `import { price } from './first'; // @equal
import { price as other } from './second';

export const total = price() + // @equal
  other();
`,

    'src/reexports/impl.ts': `export class Basket {} // !reexport

export default function total(): number { // !default
  return 1;
}
`,
    'src/reexports/index.ts': `export { Basket } from './impl'; // @reexport
export { Basket as Cart } from './impl'; // @reexport
export * from './impl';
export * as everything from './impl';
export { default as sum } from './impl'; // ?default
`,
    'src/reexports/use.ts': `import { Basket, Cart, everything, sum } from './index'; // @reexport ?default
import total from './impl'; // @default

export const one = new Basket(); // @reexport
export const two = new Cart(); // ?reexport
export const three = new everything.Basket(); // @reexport
export const four = sum(); // ?default
export const five = total(); // @default
export type Lazy = import('./impl').Basket; // @reexport
`,

    'src/generics/list.ts': `export class List<T> {
  items: T[] = [];

  push(item: T): this { // !generic
    this.items.push(item);
    return this;
  }
}

export const numbers = new List<number>().push(1).push(2); // @generic
export const names = new List<string>();
names['push']('a'); // @generic
export const { push } = names; // @generic
export type Push = List<boolean>['push']; // @generic
`,

    'src/dispatch/store.ts': `export interface Store { // !dispatch
  save(key: string): void; // !dispatch-method
}

export class Memory implements Store { // @dispatch
  save(): void {} // @dispatch-method
}

export class Cached extends Memory { // @dispatch
  override save(): void {} // @dispatch-method
}

export interface Remote extends Store { // ?dispatch
  url: string;
}

export const literal: Store = { // ?dispatch
  save() {}, // ?dispatch-method
};

export class Unrelated {
  save(key: number): number {
    return key;
  }
}
`,
    'src/dispatch/http.ts': `import type { Remote } from './store';

export class Http implements Remote { // @dispatch
  url = '';
  save(): void {} // @dispatch-method
}
`,

    'src/generated/model.ts': `export interface Model { // !generated
  name: string;
}
`,
    'src/generated/model.generated.ts': `/* eslint-disable */
// This file was generated for a trap. Do not edit.
import type { Model } from './model'; // @generated

export const empty: Model = { name: '' }; // @generated
`,

    'src/crlf/text.ts':
      'export const smile = "𝒳";\r\nexport function trim(text: string) { return text; } // !crlf\r\n\r\nexport const a = "𝒳" + trim("ä"); // @crlf\r\n',
    'src/crlf/bom.ts':
      '\uFEFFimport { trim } from "./text"; // @crlf\nexport const b = trim("b") + trim("c"); // @crlf\n',

    'src/shadowed/total.ts': `function total(): number { // !shadowed
  return 1;
}

export function sum(total: number): number {
  return total;
}

export const all = { total: total() }; // @shadowed
export const again = all.total + [1].map((total) => total).length;
`,

    'src/merged/config.ts': `export interface Config { // !merged
  name: string;
}

export interface Config { // ?merged
  size: number;
}

export const config: Config = { name: '', size: 1 }; // @merged
`,

    // Two projects, of which the root's configuration names neither.
    'packages/core/tsconfig.json': config({ composite: true, outDir: 'dist' }, { include: ['src'] }),
    'packages/core/src/core.ts': `export function core(): number { // !projects
  return 1;
}
`,
    'packages/app/tsconfig.json': config({ noEmit: true }, { include: ['src'], references: [{ path: '../core' }] }),
    'packages/app/src/app.ts': `import { core } from '../../core/src/core'; // @projects

export const app = core(); // @projects
`,

    'src/changed/count.ts': `export function count(): number { // !changed
  return 1;
}
`,
    'src/changed/use.ts': `import { count } from './count'; // @changed

export const one = count(); // @changed
`,

    'src/broken/parts.ts': 'export function part(n: number): number {\n  return n;\n}\n',
    'src/broken/use.ts': "import { part } from './parts'; // !broken-use\n\nexport const whole = part(1);\n",

    'src/killed/used.ts': `export function used(): number { // !killed
  return 1;
}

export const user = used(); // @killed
`,
    'src/killed/other.ts': `import { used } from './used'; // @killed

export const other = used() + used(); // @killed
`,
  },
  traps: [
    { name: 'overloads', asks: 'references', mark: 'overload', namePath: 'parse' },
    { name: 'equal names in two modules', asks: 'references', mark: 'equal', namePath: 'price' },
    { name: 're-exports', asks: 'references', mark: 'reexport', namePath: 'Basket' },
    { name: 'default export', asks: 'references', mark: 'default', namePath: 'total' },
    { name: 'method of a generic type', asks: 'references', mark: 'generic', namePath: 'List/push' },
    { name: 'interface dispatch', asks: 'implementations', mark: 'dispatch', namePath: 'Store' },
    { name: 'method of an interface', asks: 'implementations', mark: 'dispatch-method', namePath: 'Store/save' },
    { name: 'generated file', asks: 'references', mark: 'generated', namePath: 'Model' },
    { name: 'CRLF, BOM and characters outside the BMP', asks: 'references', mark: 'crlf', namePath: 'trim' },
    { name: 'shadowed name', asks: 'references', mark: 'shadowed', namePath: 'total' },
    { name: 'merged declarations', asks: 'references', mark: 'merged', namePath: 'Config' },
    { name: 'project references', asks: 'references', mark: 'projects', namePath: 'core' },
    {
      name: 'file changed between two calls',
      asks: 'references',
      mark: 'changed',
      namePath: 'count',
      rewritten: {
        'src/changed/use.ts':
          "import { count } from './count'; // @changed\n\n// A further line.\nexport const two = count() + 1; // @changed\n\nexport const three = count(); // @changed\n",
      },
    },
    {
      name: 'declaration moved between two calls',
      asks: 'references',
      mark: 'changed',
      namePath: 'count',
      rewritten: {
        'src/changed/count.ts':
          'export const before = 0;\n\nexport function count(): number { // !changed\n  return before;\n}\n',
      },
    },
    {
      name: 'error in another file than the changed one',
      asks: 'diagnostics',
      mark: 'broken-use',
      rewritten: {
        'src/broken/parts.ts': 'export function part(n: string): string {\n  return n;\n}\n',
        'src/broken/use.ts':
          "import { part } from './parts'; // !broken-use\n\nexport const whole = part(1); // @broken-use\n",
      },
    },
    { name: 'server killed during the call', asks: 'references', mark: 'killed', namePath: 'used', killsServer: true },
  ],
};
