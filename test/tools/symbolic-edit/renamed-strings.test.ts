// Strings that name a member (`keyof`): tsserver leaves them, so that the renamed program would not compile.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { startClient } from '../../support/client.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'tsconfig.json': '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }',
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
      await using workspace = makeWorkspace({ '.serena/project.yml': `languages: [${server}]\n`, ...files });
      await using client = await startClient({ args: ['--project', workspace.root] });
      const read = (file: string) => readFileSync(workspace.path(file), 'utf8');
      const target = { name_path: 'PageState/page', relative_path: 'src/state.ts' };
      const { blocks } = await client.call('rename_symbol', { ...target, new_name: 'chapter' });
      expect(blocks[0]).toBe('Renamed `PageState/page` to `chapter`: 2 files changed.');
      expect(read('src/use.ts')).toBe(
        files['src/use.ts']
          .replace("updater('page')", "updater('chapter')")
          .replace('"page"', '"chapter"')
          .replace("'page' | 'sort'", "'chapter' | 'sort'"),
      );
      expect(blocks.slice(1).join('\n')).toContain('strings');
      await client.ask('rename_symbol', { ...target, name_path: 'PageState/chapter', new_name: 'page' });
      for (const file of ['src/state.ts', 'src/use.ts'] as const) expect(read(file)).toBe(files[file]);
    },
    timeoutMs,
  );
}

test(
  'a rename that leaves errors which no string removes is refused with their places',
  async () => {
    const use = `import type { State } from './state'

export interface Sorted extends Omit<State, 'page'> {
  page?: string
}

export const sorted: Sorted = { sort: '' }
`;
    await using workspace = makeWorkspace({ ...files, 'src/use.ts': use });
    await using client = await startClient({ args: ['--project', workspace.root] });
    const target = { name_path: 'PageState/page', relative_path: 'src/state.ts' };
    const answer = await client.call('rename_symbol', { ...target, new_name: 'chapter' });
    expect(answer).toMatchObject({ isError: true });
    expect(answer.text).toContain('`src/use.ts` 6');
    expect(answer.text).toContain("The string 'page' occurs in `src/use.ts` 2 ");
    expect(readFileSync(workspace.path('src/use.ts'), 'utf8')).toBe(use);
    expect(readFileSync(workspace.path('src/state.ts'), 'utf8')).toBe(files['src/state.ts']);
  },
  timeoutMs,
);
