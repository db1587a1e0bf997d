import { beforeAll, describe, expect, test } from 'bun:test';
import { typescript } from '../../../src/languages/typescript/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { checkTypes } from '../../support/compiles.ts';
import { openSignatures } from '../../support/language-tests/signatures.ts';

const timeoutMs = 300_000;

const files = {
  'tsconfig.json':
    '{"compilerOptions":{"strict":true,"noEmit":true,"target":"es2022","module":"esnext","moduleResolution":"bundler","types":[]},"include":["src"]}',
  'src/store.ts': `export interface Store<T> {
  get(key: string, depth?: number): T[];
  each: (visit: (item: T) => void, from: number) => void;
}

export abstract class Base<T> implements Store<T> {
  abstract get(key: string, depth?: number): T[];
  each = (visit: (item: T) => void, from: number): void => {
    for (const item of this.get(String(from))) visit(item);
  };
}

export class Memory extends Base<string> {
  override get(
    key: string, // the key
    depth = 1,
  ): string[] {
    return depth > 1 ? this.get(key, depth - 1) : [key];
  }
}

export class Lazy extends Base<number> {
  override get(key: string): number[] {
    return [key.length];
  }
}

export const double = (x: number) => x * 2;
export const area = ({ w, h }: { w: number; h: number }, scale = 1) => w * h * scale;

export function pick(a: number): number;
export function pick(a: string, b: number): string;
export function pick(a: number | string, b?: number): number | string {
  return b === undefined ? a : \`\${a}\${b}\`;
}

export default function total<T,>(items: T[], count: number, ...rest: number[]): number {
  return items.length + count + rest.length;
}
`,
  'src/use.ts': `import sum, { area as size, double, Lazy, Memory, pick, type Store } from './store';

export function use(store: Store<string>, memory?: Memory) {
  store.get('a, (b', 2);
  memory?.get(
    \`x\${store.get('y').length})\`, // nested
    3, // three
  );
  memory!.get('q');
  new Lazy().get('z');
  ['a', 'b'].map(memory!.get);
  store.each(() => {}, 3);
  const args: [string, number] = ['x', 1];
  store.get(...args);
  pick(1);
  pick('a', 2);
  [1, 2].map(double);
  double(3);
  size({ w: 1, h: 2 }, 3);
  size({ w: 1, h: 2 });
  return sum([1], 2, 3, 4) + sum<string>([], 0);
}
const object: Store<boolean> = { get: (key) => [key === ''], each(visit) { visit(true); } };
export const found = object.get('k', 1);
`,
};

type Change = Readonly<Record<string, string | readonly string[]>>;

const of = (namePath: string, ...changes: Change[]) => ({ namePath, file: 'src/store.ts', changes });

const constructed = {
  'tsconfig.json': files['tsconfig.json'],
  'src/point.ts': `export class Point {
  sum: number;
  /**
   * Makes one.
   * @param x how far
   */
  constructor(x: number, readonly y = 0) {
    this.sum = x + this.y;
  }
}

export class Named extends Point {
  get name() {
    return String(this.sum);
  }
}

export class Deep extends Named {
  constructor(z: number) {
    super(1, z);
  }
}
`,
  'src/use.ts': `import * as shop from './point.js';
import { Deep, Point, Point as P } from './point.js';

function build(kind: new (x: number, y?: number) => Point): Point {
  return new kind(1, 2);
}
const make = build(Point);
export const all = [new Point(1, 2), new shop.Named(3), new Deep(4), new P(5)];
export const is = (p: Point | undefined): p is Point => p instanceof Point && make !== p;
`,
};

describe('change_signature in TypeScript', () => {
  beforeAll(() => install(typescript), installTimeoutMs);

  test(
    'renames a parameter of an interface and of what implements it',
    async () => {
      const project = await openSignatures(files);
      const answer = await project.change(of('Store/get', { rename: 'depth', to: 'level' }));
      // What passes the function on does not know the names of its parameters.
      expect(answer).toStartWith(
        'Changed the signature of `Store/get`: 1 file changed, 3 places in `src/store.ts`; complete',
      );
      expect(project.lines('src/store.ts', /level|depth/)).toEqual([
        'get(key: string, level?: number): T[];',
        'abstract get(key: string, level?: number): T[];',
        'level = 1,',
        'return level > 1 ? this.get(key, level - 1) : [key];',
      ]);
      expect(project.read('src/use.ts')).toBe(files['src/use.ts']);
      project.expectCompiles(checkTypes);
    },
    timeoutMs,
  );

  test(
    'adds a parameter as each declaration can have it, and an argument to every call',
    async () => {
      const project = await openSignatures(files);
      const change = { add: 'wait: string = ")"', value: '`,${1}`', before: 'depth' };
      const answer = await project.change(of('Store/get', change));
      expect(answer).toContain('    src/store.ts:6: Base/get\n');
      expect(answer).toContain('src/use.ts:11: [');
      expect(answer).toContain('it passes arguments that the text does not show:\n    src/use.ts:14:');
      expect(project.lines('src/store.ts', /wait|get\(/)).toEqual([
        'get(key: string, wait?: string, depth?: number): T[];',
        'abstract get(key: string, wait?: string, depth?: number): T[];',
        'for (const item of this.get(String(from), `,${1}`)) visit(item);',
        'override get(',
        'wait: string = ")",',
        'return depth > 1 ? this.get(key, wait, depth - 1) : [key];',
        'override get(key: string, wait: string = ")"): number[] {',
      ]);
      expect(project.read('src/store.ts')).toContain(
        'key: string, // the key\n    wait: string = ")",\n    depth = 1,\n  )',
      );
      expect(project.read('src/use.ts')).toContain(
        "`x${store.get('y', `,${1}`).length})`, // nested\n    `,${1}`,\n    3, // three\n  );",
      );
      expect(project.lines('src/use.ts', /object/)).toEqual([
        'const object: Store<boolean> = { get: (key, wait: string = ")") => [key === \'\'], each(visit) { visit(true); } };',
        "export const found = object.get('k', `,${1}`, 1);",
      ]);
    },
    timeoutMs,
  );

  test(
    'changes functions in variables and behind other names, generic calls, and rest parameters',
    async () => {
      const project = await openSignatures(files);
      await project.change(of('total', { order: ['count', 'items'] }));
      await project.change(of('area', { add: 'unit: string', value: "'m'", before: 'scale' }));
      expect(project.lines('src/store.ts', /total|area/)).toEqual([
        'export const area = ({ w, h }: { w: number; h: number }, unit: string, scale = 1) => w * h * scale;',
        'export default function total<T,>(count: number, items: T[], ...rest: number[]): number {',
      ]);
      expect(project.lines('src/use.ts', /sum\(|size\(/)).toEqual([
        "size({ w: 1, h: 2 }, 'm', 3);",
        "size({ w: 1, h: 2 }, 'm');",
        'return sum(2, [1], 3, 4) + sum<string>(0, []);',
      ]);
      project.expectCompiles(checkTypes);
    },
    timeoutMs,
  );

  test(
    'names a function that is passed on, which would get another argument',
    async () => {
      const project = await openSignatures(files);
      const answer = await project.change(of('double', { add: 'unit?: number' }));
      expect(answer).toContain('it is used without a call:\n    src/use.ts:16: [1, 2].map(double);');
      project.expectCompiles(checkTypes);
    },
    timeoutMs,
  );

  test(
    'changes overloads by the names of their parameters',
    async () => {
      const project = await openSignatures(files);
      await project.change(of('pick[2]', { rename: 'a', to: 'first' }, { add: 'last: number = 0' }));
      expect(project.lines('src/store.ts', /function pick|first/)).toEqual([
        'export function pick(first: number, last?: number): number;',
        'export function pick(first: string, b: number, last?: number): string;',
        'export function pick(first: number | string, b?: number, last: number = 0): number | string {',
        'return b === undefined ? first : `${first}${b}`;',
      ]);
    },
    timeoutMs,
  );

  test(
    'changes constructors, and what constructs an object by the name of a class',
    async () => {
      const project = await openSignatures(constructed);
      const file = 'src/point.ts';
      const change = (...changes: Change[]) => ({ namePath: 'Point/constructor', file, changes });
      const answer = await project.change(change({ add: 'unit: string', value: '"m, (n"', before: 'x' }));
      expect(answer).toContain('it is used without a call:\n    src/use.ts:6: const make = build(Point);');
      expect(answer).toContain('incomplete: 1 open');
      expect(project.lines(file, /constructor|super/)).toEqual([
        'constructor(unit: string, x: number, readonly y = 0) {',
        'constructor(z: number) {',
        'super("m, (n", 1, z);',
      ]);
      expect(project.lines('src/use.ts', /new |all/)).toEqual([
        'function build(kind: new (x: number, y?: number) => Point): Point {',
        'return new kind(1, 2);',
        'export const all = [new Point("m, (n", 1, 2), new shop.Named("m, (n", 3), new Deep(4), new P("m, (n", 5)];',
      ]);
      await project.client.ask('edit_history', { action: 'undo' });
      await project.refuse(change({ remove: 'y' }), '`y` also declares a member');
      await project.refuse(change({ rename: 'y', to: 'z' }), '`y` also declares a member');
      project.expectUnchanged();
      await project.change(change({ rename: 'x', to: 'first' }));
      expect(project.lines(file, /first/)).toEqual([
        '* @param first how far',
        'constructor(first: number, readonly y = 0) {',
        'this.sum = first + this.y;',
      ]);
      project.expectCompiles(checkTypes);
    },
    timeoutMs,
  );

  test(
    'adds imports where one module has the name',
    async () => {
      const project = await openSignatures({
        'tsconfig.json': files['tsconfig.json'],
        'src/money.ts': 'export interface Money {\n  cents: number;\n}\nexport const zero: Money = { cents: 0 };\n',
        'src/other.ts': 'export const one = 1;\n',
        'src/same.ts': 'export const one = 1;\n',
        'src/shop.ts': `export interface Shop {
  total(count: number): number;
}

export class Plain implements Shop {
  total(count: number): number {
    return count;
  }
}

export class Doubled implements Shop {
  constructor(private readonly below: Shop) {}

  total(count: number): number {
    return this.below.total(count) * 2;
  }
}
`,
        'src/use.ts': `import { Doubled, Plain } from './shop';

console.log(new Doubled(new Plain()).total(1));
`,
      });
      const total = (change: Change) => ({ namePath: 'Shop/total', file: 'src/shop.ts', changes: [change] });
      await project.refuse(total({ add: 'tax: number', value: 'one' }), "Cannot find name 'one'");
      project.expectUnchanged();
      const answer = await project.change(total({ add: 'tax: Money', value: 'zero' }));
      expect(answer).toContain('; complete');
      expect(answer).toContain('calls inside changed functions pass on their own `tax`');
      expect(project.lines('src/shop.ts', /import|total\(/)).toEqual([
        'import { Money } from "./money";',
        'total(count: number, tax: Money): number;',
        'total(count: number, tax: Money): number {',
        'total(count: number, tax: Money): number {',
        'return this.below.total(count, tax) * 2;',
      ]);
      expect(project.lines('src/use.ts', /import|total\(/)).toEqual([
        "import { zero } from './money';",
        "import { Doubled, Plain } from './shop';",
        'console.log(new Doubled(new Plain()).total(1, zero));',
      ]);
    },
    timeoutMs,
  );

  test(
    'refuses what may be wrong, and changes nothing',
    async () => {
      const project = await openSignatures(files);
      await project.refuse(of('Store/get', { order: ['depth', 'key'] }), '`src/store.ts:22`', 'other parameters');
      await project.refuse(of('Store/get', { remove: 'depth' }), 'uses `depth`');
      await project.refuse(of('Store/get', { add: 'wait = 5' }), "implicitly has an 'any' type");
      await project.refuse(of('area', { remove: 'w' }), '`scale`');
      await project.refuse(of('area', { keyword: 'scale' }), 'no argument by its name');
      await project.refuse(of('total', { add: 'x: number) { } function g(y' }), 'is not one parameter');
      await project.refuse(of('total', { add: 'x: number', value: '1); f(2' }), 'is not one argument');
      project.expectUnchanged();
    },
    timeoutMs,
  );
});
