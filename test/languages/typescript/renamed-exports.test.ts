// Names that exports give again: after renaming there and back, every file has its bytes again.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { openShared } from '../../support/shared-session.ts';
import { projectOf } from './project.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'src/reduce.ts': `export function reduce(seed: string): string;
export function reduce(seed: number): number;
export function reduce(seed: unknown): unknown {
  return seed;
}
`,
  'src/index.ts': "export { reduce } from './reduce';\n",
  'src/operators.ts': "export { max } from './max';\nexport { reduce } from './reduce';\n",
  'src/max.ts': `import { reduce } from './reduce';

export const max = (): number => reduce(1);
`,
};

for (const server of ['typescript', 'typescript_native']) {
  test(
    `${server}: an exported function with overloads is renamed there and back`,
    async () => {
      const { workspace, client } = await openShared({ ...projectOf(server), ...files });
      const read = (file: string) => readFileSync(workspace.path(file), 'utf8');
      const target = { relative_path: 'src/reduce.ts' };
      await client.ask('rename_symbol', { ...target, name_path: 'reduce[0]', new_name: 'fold' });
      expect(read('src/max.ts')).toBe(
        files['src/max.ts'].replaceAll('reduce(1)', 'fold(1)').replace('{ reduce }', '{ fold }'),
      );
      await client.ask('rename_symbol', { ...target, name_path: 'fold[0]', new_name: 'reduce' });
      for (const file of ['src/reduce.ts', 'src/index.ts', 'src/operators.ts', 'src/max.ts'] as const) {
        expect(read(file)).toBe(files[file]);
      }
    },
    timeoutMs,
  );
}
