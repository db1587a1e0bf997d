// A parameter, variable or member whose type is that of a function or member, and that has its name, is not that symbol: a
// language server leads a call of it to the symbol as well, because the call has its signature.
import { expect, test } from 'bun:test';
import { checkTypes, expectCompiles } from '../../support/compiles.ts';
import { rounds } from '../../support/rounds.ts';
import { openShared } from '../../support/shared-session.ts';
import { projectOf } from './project.ts';

const timeoutMs = 5 * 60_000;

const jsx = 'declare namespace JSX {\n  interface Element {}\n  interface IntrinsicElements { p: {} }\n}\n';

/** Code that uses a symbol. */
interface Form {
  /** Extension of its file. */
  readonly in?: '.ts' | '.tsx' | '.js';
  /**
   * `ϕ` is the name where it means the symbol, `π` where it also names something else, in a pattern or shorthand, and `ψ`
   * where it must be equal without being a reference: in a string. `real` is an alias.
   */
  readonly code: string;
  /** True if what `π` means is the value. */
  readonly isValue?: true;
}

/** A symbol, and code in which its name means it or something else. */
interface Fixture {
  readonly name: string;
  readonly newName: string;
  readonly target: { readonly name_path: string; readonly relative_path: string };
  readonly declared: string;
  readonly forms: Readonly<Record<string, Form>>;
  /** Servers that do not rename it. */
  readonly except?: readonly string[];
}

function textOf({ code, isValue }: Form, name: string, newName: string): string {
  const both = name === newName ? name : isValue === true ? `${name}: ${newName}` : `${newName}: ${name}`;
  return code.replaceAll('π', both).replaceAll(/[ϕψ]/g, newName);
}

function fileOf(form: string, { in: extension = '.ts' }: Form): string {
  return `src/${form.replaceAll(/[^a-z]+/gi, '-')}${extension}`;
}

const calls: Fixture = {
  name: 'load',
  newName: 'fetch',
  target: { name_path: 'load', relative_path: 'src/load.ts' },
  declared: `export function load(id: number): string {
  return \`user \${id}\`;
}
export type Load = typeof load;
export interface Deps {
  load: typeof load;
}
`,
  forms: {
    'parameter of an alias': {
      code: `import { ϕ, type Load } from './load';
export const greeter = (load: Load) => load(1);
export function maybe(load?: Load) {
  load?.(2);
  load!(3);
  (load ?? String)(4);
  return load && load(5);
}
export const greet = greeter(ϕ);
`,
    },
    'parameter of a generic type, a union and an intersection': {
      code: `import type { Load } from './load';
export const one = <F extends Load>(load: F) => load(1);
export const two = (load: Load | ((id: number) => number)) => load(2);
export const three = (load: Load & { cached: boolean }) => load(3);
`,
    },
    'parameter with a default': {
      code: `import { ϕ as real, type Load } from './load';
export const one = (load = real) => load(1);
export const two = (load: Load = real) => load(2);
`,
    },
    'parameter of a callback': {
      code: `import type { Load } from './load';
export function all(loads: Load[], use: (call: (load: Load) => string) => string) {
  loads.forEach((load) => load(1));
  loads.map(function (load) { return load(2); });
  return use((load) => load(3));
}
`,
    },
    'parameter that shadows an import': {
      code: `import { ϕ, type Load } from './load';
export function outer(id: number) {
  const inner = (load: Load) => load(id);
  return inner(ϕ) + ϕ(id);
}
`,
    },
    'loop variable': {
      code: `import type { Load } from './load';
export function each(loads: Load[], byName: Map<string, Load>) {
  for (const load of loads) load(1);
  for (const [, load] of byName) load(2);
  for (let load = loads[0]; load !== undefined; ) load(3);
}
`,
    },
    'local variable': {
      code: `import type { Deps, Load } from './load';
export async function local(deps: Deps, later: Promise<Load>) {
  {
    const load = deps.load;
    load(1);
  }
  {
    const load = await later;
    load(2);
  }
  {
    let load: Load;
    load = deps.load;
    load(3);
    load.call(undefined, 4);
  }
  const load: Load = (id) => String(id);
  return load(5);
}
`,
    },
    'bound function': {
      code: `import { ϕ as real, type Deps } from './load';
export function bound(deps: Deps) {
  const load = real.bind(undefined);
  return load(1) + deps.load.bind(deps)(2) + deps.load.call(deps, 3);
}
`,
    },
    'member of an interface': {
      code: `import type { Deps, ϕ } from './load';
export interface Others {
  load: typeof ϕ;
  nested: { load: Deps['load'] };
}
export const one = (deps: Deps, others?: Others) => {
  deps.load(1);
  others?.load(2);
  others?.load?.(3);
  others!.nested.load(4);
  return deps['load'](5);
};
`,
    },
    'member of a class': {
      code: `import { ϕ, type Deps, type Load } from './load';
export class Service {
  static load: Load = ϕ;
  private other = ϕ;
  #load = ϕ;
  constructor(private load: Load) {}
  run() {
    const { load } = this;
    return this.load(1) + load(2) + this.#load(3) + Service.load(4) + this.other(5);
  }
  real = () => ϕ(6);
}
export class Lazy {
  constructor(private deps: Deps) {}
  get load(): Load {
    return this.deps.load;
  }
  run() {
    return this.load(1);
  }
}
`,
    },
    'method that calls it': {
      code: `import { ϕ } from './load';
export const api = {
  load(id: number) {
    return ϕ(id);
  },
};
export const called = api.load(1);
`,
    },
    'shorthand and member of an object': {
      isValue: true,
      code: `import { ϕ } from './load';
export const api = { π };
export const second = { load: ϕ };
export const called = api.load(1) + second.load(2) + { load: ϕ }.load(3);
`,
    },
    'pattern of a parameter': {
      code: `import { ϕ as real, type Deps, type Load } from './load';
export const one = ({ load }: Deps) => load(1);
export const two = ({ load: other }: Deps) => other(2);
export const three = ({ load = real }: Partial<Deps>) => load(3);
export const four = ({ load: other = real }: Partial<Deps>) => other(4);
export const five = ([load]: Load[]) => load?.(5);
export const six = ({ deps: { load } }: { deps: Deps }) => load(6);
export const seven = (...[load]: [Load]) => load(7);
`,
    },
    'pattern of a variable': {
      code: `import type { Deps, Load } from './load';
export function local(deps: Deps, [first]: Load[]) {
  let load = first;
  ({ load } = deps);
  [load] = [deps.load];
  return load(1);
}
`,
    },
    module: {
      code: `import * as users from './load';
export const one = users.ϕ(1);
export async function later() {
  const { π } = await import('./load');
  return load(2) + (await import('./load')).ϕ(3);
}
export const { ϕ: other } = users;
export { ϕ as third } from './load';
`,
    },
    'script with JSDoc': {
      in: '.js',
      code: `/** @typedef {import('./load').Load} Load */
/** @param {Load} load */
export function one(load) {
  return load(1);
}
/** @param {{ load: Load }} deps */
export function two({ load }) {
  return load(2);
}
export class Service {
  /** @param {Load} load */
  constructor(load) {
    this.load = load;
  }
  run() {
    return this.load(3);
  }
}
`,
    },
    'attribute of JSX': {
      in: '.tsx',
      code: `import { ϕ, type Deps } from './load';
const Row = ({ load }: Deps) => <p>{load(1)}</p>;
export const row = <Row load={ϕ} />;
export const Rows = (deps: Deps) => <Row load={(id) => deps.load(id)} />;
`,
    },
  },
};

/** TypeScript leads a call of what has the type of an assigned function to the assignment alone. */
const assigned: Fixture = {
  name: 'load',
  newName: 'fetch',
  target: { name_path: 'load', relative_path: 'src/load.js' },
  // TypeScript 7.0 does not follow `require` from the declaration.
  except: ['typescript_native'],
  declared: `/** @param {number} id */
exports.load = (id) => \`user \${id}\`;
`,
  forms: {
    module: {
      in: '.js',
      code: `const users = require('./load');
const { π } = require('./load');
exports.one = users.ϕ(1);
exports.two = load(2); // real
`,
    },
    parameter: {
      in: '.js',
      code: `/** @typedef {typeof import('./load').ϕ} Load */
/** @param {Load} load */
exports.one = (load) => load(1);
/** @param {{ load: Load }} deps */
exports.two = ({ load }) => load(2);
`,
    },
  },
};

const expando: Fixture = {
  name: 'load',
  newName: 'fetch',
  target: { name_path: 'users/load', relative_path: 'src/load.ts' },
  declared: `export function users() {}
users.load = (id: number) => \`user \${id}\`;
export type Load = typeof users.load;
`,
  forms: {
    parameter: {
      code: `import { type Load, users } from './load';
export const one = (load: Load) => load(1);
export const two = ({ load }: { load: Load }) => load(2);
export const three = (loads: Load[]) => loads.map((load) => load(3));
export const four = users.ϕ(4);
export const { ϕ: five } = users;
`,
    },
  },
};

const tags: Fixture = {
  name: 'Card',
  newName: 'Panel',
  target: { name_path: 'Card', relative_path: 'src/load.tsx' },
  declared: `export function Card(_: { title: string }) {
  return <p />;
}
export type CardType = typeof Card;
`,
  forms: {
    tag: {
      in: '.tsx',
      code: `import { ϕ, type CardType } from './load';
export const one = <ϕ title="1" />;
export const Two = ({ Card }: { Card: CardType }) => <Card title="2" />;
export const Three = (props: { Card: CardType }) => <props.Card title="3"></props.Card>;
export const Four = (props: { Card: CardType }) => {
  const { Card } = props;
  return <Card title="4"></Card>;
};
export const five = <Two Card={ϕ} />;
`,
    },
  },
};

const classes: Fixture = {
  name: 'Box',
  newName: 'Crate',
  target: { name_path: 'Box', relative_path: 'src/load.ts' },
  declared: `export class Box {
  constructor(readonly size: number) {}
}
export type BoxType = typeof Box;
`,
  forms: {
    constructor: {
      code: `import { ϕ, type BoxType } from './load';
export const one = (Box: BoxType) => new Box(1);
export const two = (types: { Box: BoxType }) => new types.Box(2);
export const three = ({ Box }: { Box: BoxType }) => class extends Box {};
export const four = (box: ϕ) => box instanceof ϕ && new ϕ(box.size);
`,
    },
  },
};

const members: Fixture = {
  name: 'insert',
  newName: 'add',
  target: { name_path: 'Store/insert', relative_path: 'src/load.ts' },
  declared: `export interface Store {
  insert(x: number): void;
  remove: (x: number) => void;
}
export type Insert = Store['insert'];
`,
  forms: {
    'parameter of the type of the member': {
      code: `import type { Insert, Store } from './load';
export function one(insert: Store['ϕ']) {
  insert(1);
}
export function two(insert: Insert, store: Store) {
  insert(2);
  insert.call(undefined, 3);
  const other: typeof store.ϕ = insert;
  other(4);
}
export const three = (insert?: Insert) => insert?.(5);
`,
    },
    'parameter with a default': {
      code: `import type { Insert, Store } from './load';
export function one(store: Store, insert = store.ϕ) {
  insert(1);
}
export const two = (store: Store, insert: Insert = store.ϕ) => insert(2);
`,
    },
    'picked and mapped types': {
      code: `import type { Store } from './load';
type Mapped = { [Key in keyof Store]: Store[Key] };
export const one = (store: Pick<Store, 'ψ'>, insert: Pick<Store, 'ψ'>['ϕ']) => {
  store.ϕ(1);
  insert(2);
};
export const two = (store: Mapped, other: Partial<Store>, third: Omit<Store, 'remove'>) => {
  store.ϕ(3);
  other.ϕ?.(4);
  third.ϕ(5);
  store['ϕ'](6);
};
`,
    },
    callback: {
      code: `import type { Insert, Store } from './load';
export function each(stores: Store[], inserts: Insert[], use: (call: (insert: Insert) => void) => void) {
  stores.map((store) => store.ϕ).forEach((insert) => insert(1));
  inserts.forEach((insert) => insert(2));
  use((insert) => insert(3));
  for (const insert of inserts) insert(4);
  for (const { π } of stores) insert(5);
}
`,
    },
    'local variable': {
      code: `import type { Store } from './load';
export function local(store: Store) {
  {
    const insert = store.ϕ;
    insert(1);
  }
  {
    const insert = store.ϕ.bind(store);
    insert(2);
  }
  const insert: typeof store.ϕ = (x) => store.ϕ(x);
  insert(3);
}
`,
    },
    pattern: {
      code: `import type { Store } from './load';
const noop = (x: number): void => void x;
export function one({ π }: Store) {
  insert(1);
}
export function two({ ϕ: other }: Store) {
  other(2);
}
export function three({ π = noop }: Partial<Store>) {
  insert(3);
}
export function four({ ϕ: other = noop }: Partial<Store>) {
  other(4);
}
export function five(store: Store) {
  const { remove, ...rest } = store;
  rest.ϕ(5);
  const { ϕ: insert } = store;
  insert(6);
}
export function six({ store: { π } }: { store: Store }) {
  insert(7);
}
export function seven(store: Store) {
  let insert = noop;
  ({ π } = store);
  insert(8);
}
`,
    },
    'member of the type of the member': {
      code: `import type { Insert, Store } from './load';
export class Holder {
  constructor(private insert: Insert) {}
  run() {
    this.insert(1);
    const { insert } = this;
    insert(2);
  }
}
export const one = (deps: { insert: Store['ϕ'] }) => deps.insert(3);
export const two = ({ insert }: { insert: Insert }) => insert(4);
`,
    },
    'declaration in objects and classes': {
      code: `import type { Store } from './load';
export const one: Store = { ϕ: (x) => void x, remove: (x) => void x };
export const two = { ϕ(x: number) {}, remove(x: number) {} } satisfies Store;
export const three = (insert: (x: number) => void): Store => {
  insert(1);
  return { ϕ: insert, remove: insert };
};
export class Memory implements Store {
  ϕ(x: number) {
    this.remove(x);
  }
  remove(x: number) {
    this.ϕ(x);
  }
}
export class Sub extends Memory {
  override ϕ(x: number) {
    super.ϕ(x);
  }
}
export const four = <S extends Store>(store: S, both: Store & { size: number }) => {
  store.ϕ(1);
  both.ϕ(2);
};
`,
    },
    'script with JSDoc': {
      in: '.js',
      code: `/** @typedef {import('./load').Store} Store */
/**
 * @param {import('./load').Insert} insert
 * @param {Store} store
 */
export function one(insert, store) {
  insert(1);
  store.ϕ(2);
}
/** @param {Store} store */
export function two({ π }) {
  insert(3);
}
/** @param {Store} store */
export function three(store) {
  const insert = store.ϕ;
  insert(4);
}
`,
    },
    'attribute of JSX': {
      in: '.tsx',
      code: `import type { Insert, Store } from './load';
const Row = ({ π }: Store) => <p>{insert(1)}</p>;
const Other = ({ insert }: { insert: Insert }) => <p>{insert(2)}</p>;
export const Rows = ({ insert }: { insert: Insert }) => <Row ϕ={insert} remove={(x) => insert(x)} />;
export const row = (store: Store) => <Row {...store} />;
export const other = (store: Store) => <Other insert={store.ϕ} />;
`,
    },
  },
};

const fixtures: Readonly<Record<string, Fixture>> = {
  'a function': calls,
  'a component': tags,
  'a class': classes,
  'a member': members,
  'an assigned function': assigned,
  'an assigned member': expando,
};

/** Servers that run tsserver as `typescript` does: only `npm test -- --full` asks them about the other symbols as well. */
const sampled: Readonly<Record<string, readonly string[]>> = {
  typescript_vts: ['a function', 'a class'],
  vue: ['a component', 'a member'],
};

for (const server of ['typescript', 'typescript_native', 'typescript_vts', 'vue']) {
  for (const [what, { name, newName, target, declared, forms, except }] of Object.entries(fixtures)) {
    if (except?.includes(server) || !rounds(sampled[server]?.includes(what) ?? true, true)) continue;
    test(
      `${server}: what has the type and the name of ${what} is not referred to, and keeps its name`,
      async () => {
        const texts = (to: string) =>
          Object.fromEntries(Object.entries(forms).map(([form, one]) => [fileOf(form, one), textOf(one, name, to)]));
        const { workspace, client } = await openShared({
          ...projectOf(server),
          'src/jsx.d.ts': jsx,
          [target.relative_path]: declared,
          ...texts(name),
        });
        expectCompiles(workspace, checkTypes);
        const answer = await client.ask('find_referencing_symbols', target);
        expect(linesIn(answer, Object.keys(texts(name)))).toEqual(
          Object.fromEntries(Object.entries(forms).map(([form, one]) => [fileOf(form, one), ownLines(one)])),
        );
        await client.ask('rename_symbol', { ...target, new_name: newName });
        const now = Object.keys(texts(name)).map((file) => [file, workspace.read(file)]);
        expect(Object.fromEntries(now)).toEqual(texts(newName));
        expectCompiles(workspace, checkTypes);
      },
      timeoutMs,
    );
  }
}

/** Returns the lines with references of each file. */
function linesIn(answer: string, files: readonly string[]): Record<string, number[]> {
  const byFile: Readonly<Record<string, unknown>> = JSON.parse(answer);
  const linesOf = (file: string) =>
    [...JSON.stringify(byFile[file] ?? '').matchAll(/ {2}> *(\d+):/g)].map(([, line]) => Number(line));
  return Object.fromEntries(files.map((file) => [file, [...new Set(linesOf(file))].sort((a, b) => a - b)]));
}

function ownLines({ code }: Form): number[] {
  return code.split('\n').flatMap((line, index) => (/[ϕπ]|real/.test(line) ? [index] : []));
}
