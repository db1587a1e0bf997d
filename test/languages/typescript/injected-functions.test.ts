// A parameter, variable or member whose type is that of a function or method, and that has its name, is not that function:
// a language server leads a call of it to the function as well, because the call has its signature.
import { expect, test } from 'bun:test';
import { openShared } from '../../support/shared-session.ts';
import { projectOf } from './project.ts';

const timeoutMs = 5 * 60_000;

const user = `export function fetchUser(id: number): string {
  return \`user \${id}\`;
}
export type FetchUser = typeof fetchUser;
`;

/** \`ϕ\` stands for the function's name where it means the function, and \`{ϕ}\` for a shorthand. */
const uses = `import { type FetchUser, ϕ } from './user';

export interface Deps {
  fetchUser: typeof ϕ;
}
export function greeter(fetchUser: FetchUser) {
  return (id: number) => \`Hello, \${fetchUser(id)}\`;
}
export const greet = greeter(ϕ);
export const viaDeps = (deps: Deps) => deps.fetchUser(1);
export const viaPattern = ({ fetchUser }: Deps) => fetchUser(2) + fetchUser.call(undefined, 3);
export const viaDefault = ({ fetchUser: real = ϕ }: Partial<Deps>) => real(4);
export const viaTuple = ([fetchUser]: FetchUser[]) => fetchUser?.(5);
export const own = (fetchUser: (id: number) => string) => fetchUser(6);
export class Service {
  constructor(private fetchUser: FetchUser) {}
  name() {
    const { fetchUser } = this;
    return this.fetchUser(7) + fetchUser(8);
  }
  real() {
    return this.fetchUser(9) + ϕ(9);
  }
}
export function viaList(list: FetchUser[], out: string[]) {
  for (const fetchUser of list) out.push(fetchUser(10));
}
export async function later() {
  const {ϕ} = await import('./user');
  return fetchUser(11) + (await import('./user')).ϕ(12);
}
export const fromObject = { fetchUser: ϕ }.fetchUser(13);
`;
const usesNow = uses.replaceAll('{ϕ}', '{ fetchUser }').replaceAll('ϕ', 'fetchUser');
const usesRenamed = uses.replaceAll('{ϕ}', '{ loadUser: fetchUser }').replaceAll('ϕ', 'loadUser');

for (const server of ['typescript', 'typescript_native', 'typescript_vts', 'vue', 'svelte']) {
  test(
    `${server}: calls of what has the type and the name of a function keep that name when the function is renamed`,
    async () => {
      const inComponent = server === 'svelte';
      const wrap = (code: string) => (inComponent ? `<script lang="ts">\n${code}</script>\n` : code);
      const file = inComponent ? 'src/Uses.svelte' : 'src/uses.ts';
      const { workspace, client } = await openShared({
        ...projectOf(server),
        'src/user.ts': user,
        [file]: wrap(usesNow),
        // A file that the configuration does not include.
        'extra/uses.ts': usesNow.replaceAll('./user', '../src/user'),
      });
      const target = { name_path: 'fetchUser', relative_path: 'src/user.ts' };
      await client.ask('rename_symbol', { ...target, new_name: 'loadUser' });
      expect(workspace.read(file)).toBe(wrap(usesRenamed));
      expect(workspace.read('extra/uses.ts')).toBe(usesRenamed.replaceAll('./user', '../src/user'));
      expect(workspace.read('src/user.ts')).toBe(user.replaceAll('fetchUser', 'loadUser'));
    },
    timeoutMs,
  );
}

const store = `export interface Store {
  insert(x: number): void;
  remove: (x: number) => void;
}
export type Insert = Store['insert'];
`;

const members = `import type { Insert, Store } from './store';

export function parameter(insert: Store['ϕ'], again: Insert) {
  insert(1);
  again(2);
}
export function alias(insert: Insert) {
  insert(3);
  insert.call(undefined, 4);
}
export function pattern({ϕ}: Store) {
  insert(5);
}
export function constant(store: Store) {
  const insert = store.ϕ;
  insert(6);
  store.ϕ(7);
}
export function bound(store: Store) {
  const insert = store.ϕ.bind(store);
  insert(8);
}
export function fallback(store: Store, insert = store.ϕ) {
  insert(9);
}
export class Holder {
  constructor(private insert: Insert) {}
  run() {
    this.insert(10);
  }
}
export const one: Store = { ϕ: x => void x, remove: x => void x };
`;
const membersNow = members.replaceAll('{ϕ}', '{ insert }').replaceAll('ϕ', 'insert');

for (const server of ['typescript', 'typescript_native']) {
  test(
    `${server}: calls of what has the type and the name of a member are not references to it`,
    async () => {
      const { workspace, client } = await openShared({
        ...projectOf(server),
        'src/store.ts': store,
        'src/members.ts': membersNow,
      });
      const target = { name_path: 'Store/insert', relative_path: 'src/store.ts' };
      const answer = await client.ask('find_referencing_symbols', target);
      const lines = [...answer.matchAll(/> *(\d+):/g)].map(([, line]) => Number(line));
      const expected = members.split('\n').flatMap((line, index) => (line.includes('ϕ') ? [index] : []));
      expect(lines.sort((a, b) => a - b)).toEqual([...expected, 4].sort((a, b) => a - b));
      await client.ask('rename_symbol', { ...target, new_name: 'add' });
      expect(workspace.read('src/members.ts')).toBe(
        members.replaceAll('{ϕ}', '{ add: insert }').replaceAll('ϕ', 'add'),
      );
      expect(workspace.read('src/store.ts')).toBe(store.replaceAll('insert', 'add'));
    },
    timeoutMs,
  );
}
