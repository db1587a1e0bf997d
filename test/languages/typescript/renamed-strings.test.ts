// Strings that name a member (`keyof`), and members that must have the same name without a reference: tsserver leaves
// them, so that the renamed or reduced program would not compile.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { openShared } from '../../support/shared-session.ts';
import { projectOf } from './project.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'src/state.ts': `export interface PageState {
  page: number
}

export interface SortState {
  sort: string
}

export interface State extends PageState, SortState {}

export declare function updater<K extends keyof State>(key: K): (value: State[K]) => void
`,
  'src/use.ts': `import { type State, updater } from './state'

export const onPage = updater('page')
export const fallback: keyof State =
  "page"
export const listed: Pick<State, 'page' | 'sort'>[] = []
export const label: string = 'page'
// 'page' stays in a comment.
`,
};

for (const server of ['typescript', 'typescript_native']) {
  test(
    `${server}: strings that must name the member are renamed with it and back, and equal strings stay`,
    async () => {
      const { workspace, client } = await openShared({ ...projectOf(server), ...files });
      const read = (file: string) => readFileSync(workspace.path(file), 'utf8');
      const target = { name_path: 'PageState/page', relative_path: 'src/state.ts' };
      const { blocks } = await client.call('rename_symbol', { ...target, new_name: 'chapter' });
      expect(blocks[0]).toBe(
        'Renamed `PageState/page` to `chapter`: 2 files changed, 4 places; complete\nAlso changed (0-based lines):\n  strings that name it:\n    src/use.ts:2: page\n    src/use.ts:4: page\n    src/use.ts:5: page\nFiles:\n  src/state.ts: 1\n  src/use.ts: 3',
      );
      expect(read('src/use.ts')).toBe(
        files['src/use.ts']
          .replace("updater('page')", "updater('chapter')")
          .replace('"page"', '"chapter"')
          .replace("'page' | 'sort'", "'chapter' | 'sort'"),
      );
      await client.ask('rename_symbol', { ...target, name_path: 'PageState/chapter', new_name: 'page' });
      for (const file of ['src/state.ts', 'src/use.ts'] as const) expect(read(file)).toBe(files[file]);
    },
    timeoutMs,
  );
}

test(
  'a string that leaves a member out of a type is renamed where the compiler needs it',
  async () => {
    const use = `import type { State } from './state'

export interface Sorted extends Omit<State, 'page'> {
  page?: string
}

export const sorted: Sorted = { sort: '' }
`;
    const { workspace, client } = await openShared({ ...projectOf('typescript'), ...files, 'src/use.ts': use });
    const target = { name_path: 'PageState/page', relative_path: 'src/state.ts' };
    await client.ask('rename_symbol', { ...target, new_name: 'chapter' });
    expect(workspace.read('src/use.ts')).toBe(use.replace("'page'", "'chapter'"));
    expect(workspace.read('src/state.ts')).toBe(files['src/state.ts'].replace('page:', 'chapter:'));
  },
  timeoutMs,
);

const shapes = {
  ...files,
  'src/shape.ts': `export interface Entry {
  seen: number
  name: string
}

const entries: Entry[] = []

export function add(name: string): void {
  const made = { name, seen: 0 }
  entries.push(made)
}

export interface Level {
  debugAll: boolean
  debugRows: boolean
}

export function memo(
  level: Level,
  key: 'debugAll' | 'debugRows',
): boolean {
  const value: boolean = level[key]
  return value
}
`,
  'src/calls.ts': `import { memo } from './shape'

export const rows = memo({ debugAll: true, debugRows: false }, 'debugRows')
`,
};

for (const server of ['typescript', 'typescript_native']) {
  test(
    `${server}: a member that another type needs is renamed with that of the other type, and not deleted`,
    async () => {
      const { workspace, client } = await openShared({ ...projectOf(server), ...shapes });
      const file = 'src/shape.ts';
      const target = { name_path: 'Entry/seen', relative_path: file };
      const { blocks } = await client.call('rename_symbol', { ...target, new_name: 'viewed' });
      expect(blocks.join('\n')).toContain(
        '\n  the compiler requires the same name:\n    src/shape.ts:8: add/made/seen',
      );
      const renamed = shapes[file].replace('seen: number', 'viewed: number').replace('seen: 0', 'viewed: 0');
      expect(workspace.read(file)).toBe(renamed);
      const kept = `export interface Box {
  one?: number
  two: number
}

export const boxOf = (key: 'one' | 'two') => (box: Box) => box[key]
export const boxes: Box[] = []
const made = { two: 2 }
boxes.push(made)
`;
      workspace.write('src/box.ts', kept);
      for (const name of ['one', 'two']) {
        const box = { name_path_pattern: `Box/${name}`, relative_path: 'src/box.ts' };
        const answer = await client.call('safe_delete_symbol', box);
        expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('`src/box.ts` ') });
        expect(workspace.read('src/box.ts')).toBe(kept);
      }
    },
    timeoutMs,
  );

  test(
    `${server}: strings are renamed that only together satisfy the compiler`,
    async () => {
      const { workspace, client } = await openShared({ ...projectOf(server), ...shapes });
      const target = { name_path: 'Level/debugRows', relative_path: 'src/shape.ts' };
      expect((await client.call('rename_symbol', { ...target, new_name: 'logRows' })).isError).toBe(false);
      for (const file of ['src/shape.ts', 'src/calls.ts'] as const) {
        expect(workspace.read(file)).toBe(shapes[file].replaceAll('debugRows', 'logRows'));
      }
    },
    timeoutMs,
  );
}
