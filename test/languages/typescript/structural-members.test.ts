// Members that must have the name of another member because their type is used as its type, without a declaration that
// links the two: a language server does not list them as references.
import { expect, test } from 'bun:test';
import type { TestClient } from '../../support/client.ts';
import { checkTypes, expectCompiles } from '../../support/compiles.ts';
import { openShared } from '../../support/shared-session.ts';
import { projectOf } from './project.ts';

const timeoutMs = 5 * 60_000;

const linked = {
  'src/types.ts': `export interface NodeOps {
  insert(x: number): void;
  remove: (x: number) => void;
  patch(a: string, b: string): number;
}
export type InsertFn = NodeOps['insert'];
`,
  'src/structural.ts': `import type { NodeOps } from './types';

const extend = Object.assign;

const nodeOps: Omit<NodeOps, 'patch'> = {
  insert: x => void x,
  remove: x => void x,
};
const patch = (a: string, b: string): number => a.length + b.length;
const ops = extend({ patch }, nodeOps);

export function createRenderer(options: NodeOps) {
  const { insert: hostInsert, patch: hostPatch } = options;
  hostInsert(1);
  return hostPatch('a', 'b');
}
export const renderer = createRenderer(ops);

const loose = {
  insert(x: number) {},
  remove(x: number) {},
  patch: () => 1,
};
export const renderer2 = createRenderer(loose);
export class Ops {
  insert(x: number) {}
  remove(x: number) {}
  patch() {
    return 1;
  }
}
export const renderer3 = createRenderer(new Ops());

export class Unrelated {
  insert() {}
}
export const unrelated = { patch: 1, remove: 2 };
export const first = ({ patch, remove }: { patch: number; remove: number }) => \`\${patch} \${remove}\`;
`,
  'src/steps.ts': `export interface Step {
  next(): { done: boolean; value: number };
}
const both = { next: () => ({ done: true, value: 1 }) };
export const take = (step: Step) => step.next().value;
export const first = (values: Iterator<number>) => values.next().value;
export const taken = take(both);
export const one = first(both);
`,
};

const homonyms = {
  'src/types.ts': `export interface Runner {
  run(): void;
}
export interface Action {
  type: string;
  payload: number;
}
export class Counter {
  next(): { done: boolean; value: number } {
    return { done: true, value: 1 };
  }
  private step() {
    return 1;
  }
  go() {
    return this.step();
  }
}
`,
  'src/uses.ts': `import { type Action, Counter, type Runner } from './types';

export class Fast implements Runner {
  run() {}
}
export class Loose {
  run() {}
}
export const start = (runner: Runner) => runner.run();
start(new Fast());
new Loose().run();

type Other = { type: string; payload?: string };
export const other: Other = { type: 'type' };
export const key: keyof Other = 'type';
export const actionKey: keyof Action = 'payload';
export function dispatch({ type, payload }: Action) {
  return { type, payload };
}
export const made = (type: string): Action => ({ type, payload: 1 });
export const plain = { type: 'a', payload: 2, step: 3, go: 4 };

// The library requires the name, and no other member of the project has to have it.
export const iterator: Iterator<number> = new Counter();
export const list = { next() {} };
`,
};

/** Returns the gaps of an answer, without the references. */
async function gapsOf(client: TestClient, name_path: string, relative_path: string): Promise<string> {
  const { blocks, isError } = await client.call('find_referencing_symbols', { name_path, relative_path });
  expect({ blocks, isError }).toMatchObject({ isError: false });
  return blocks.filter((block) => block.startsWith('Incomplete:')).join('\n');
}

for (const server of ['typescript', 'typescript_native']) {
  test(
    `${server}: members that the compiler requires to have the name are references, and renamed with the symbol`,
    async () => {
      const { workspace, client } = await openShared({ ...projectOf(server), ...linked });
      const lines = { insert: [19, 25], remove: [20, 26], patch: [9, 21, 27] };
      for (const [member, required] of Object.entries(lines)) {
        const question = { name_path: `NodeOps/${member}`, relative_path: 'src/types.ts' };
        const { blocks } = await client.call('find_referencing_symbols', question);
        const [, inStructural = ''] = blocks.join('\n').split('"src/structural.ts"');
        for (const line of required) expect(inStructural).toMatch(new RegExp(`>\\s+${line}:[^\\n]*${member}`));
        expect(blocks.filter((block) => block.startsWith('Incomplete:'))).toEqual([]);
        // The second answer is the same.
        expect((await client.call('find_referencing_symbols', question)).blocks).toEqual(blocks);
      }
      const target = { name_path: 'NodeOps/patch', relative_path: 'src/types.ts' };
      const { blocks } = await client.call('rename_symbol', { ...target, new_name: 'apply' });
      expect(blocks[0]).toBe(
        [
          'Renamed `NodeOps/patch` to `apply`: 2 files changed, 6 places; complete',
          'Also changed (0-based lines):',
          '  the compiler requires the same name:',
          '    src/structural.ts:9: patch',
          '    src/structural.ts:21: loose/patch',
          '    src/structural.ts:27: Ops/patch',
          '  strings that name it:',
          '    src/structural.ts:4: patch',
          'Files:',
          '  src/structural.ts: 5',
          '  src/types.ts: 1',
        ].join('\n'),
      );
      const read = (file: keyof typeof linked) => workspace.read(file);
      expect(read('src/types.ts')).toBe(linked['src/types.ts'].replace('patch(', 'apply('));
      const structural = linked['src/structural.ts']
        .replace("'patch'", "'apply'")
        .replace('{ patch }, nodeOps', '{ apply: patch }, nodeOps')
        .replace('patch: hostPatch', 'apply: hostPatch')
        .replace('patch: () => 1', 'apply: () => 1')
        .replace('patch() {', 'apply() {');
      expect(read('src/structural.ts')).toBe(structural);
      expectCompiles(workspace, checkTypes);
      await client.ask('rename_symbol', { ...target, name_path: 'NodeOps/insert', new_name: 'add' });
      expect(read('src/structural.ts')).toBe(
        structural
          .replace('insert: x =>', 'add: x =>')
          .replace('insert: hostInsert', 'add: hostInsert')
          .replaceAll('insert(x: number)', 'add(x: number)'),
      );
      expectCompiles(workspace, checkTypes);
      // What a library requires to have the old name cannot be renamed with it.
      const next = { name_path: 'Step/next', relative_path: 'src/steps.ts', new_name: 'advance' };
      const { isError, text } = await client.call('rename_symbol', next);
      expect({ isError, text }).toMatchObject({ isError: true });
      expect(text).toContain('Members that must have the same name: `src/steps.ts` 3 (0-based lines)');
      expect(workspace.read('src/steps.ts')).toBe(linked['src/steps.ts']);
      // The hint is a call that can be copied.
      const [, args = ''] = /call `replace_in_files` with (\{.*\}), then with `occurrence_ids`/.exec(text) ?? [];
      const listing = await client.ask('replace_in_files', JSON.parse(args));
      for (const place of ['src/steps.ts', '] line 1\n', '] line 3\n']) expect(listing).toContain(place);
    },
    timeoutMs,
  );

  test(
    `${server}: members that only happen to have the name are not named`,
    async () => {
      const { client } = await openShared({
        ...projectOf(server),
        ...homonyms,
      });
      for (const member of [
        'Runner/run',
        'Action/type',
        'Action/payload',
        'Counter/next',
        'Counter/step',
        'Counter/go',
      ])
        expect([member, await gapsOf(client, member, 'src/types.ts')]).toEqual([member, '']);
      expect(await gapsOf(client, 'Loose/run', 'src/uses.ts')).toBe('');
    },
    timeoutMs,
  );
}
