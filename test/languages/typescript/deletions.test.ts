// Declarations whose range is only a part of their statement: variables and members of enumerations.
import { expect, test } from 'bun:test';
import { openShared } from '../../support/shared-session.ts';
import { projectOf } from './project.ts';

const timeoutMs = 5 * 60_000;

const text = `export const first = 10;

/* kept */ export const second = 20;
let one = 1,
  two = 2,
  three = 3;
export const run = () => {
  return 1;
};
var bare
const a = 1, b = { a: 2 }; // said
const { left, right } = { left: 1, right: 2 };
for (const item of [left, right]) console.log(item);
for (
  const other of [1]
) console.log(other);
if (right)
  var hidden = 1;

export enum Kind {
  First,
  Second = 2,
  Third,
  Fourth = 'x',
}

export enum Inline { A = 1, B = 2, C = 3 }
declare const __DEV__: boolean
export const x =
  // said
  1;
`;

/** Name path → what is deleted and its replacement, or a part of the reason to refuse. */
const rows: readonly (readonly [string, readonly [string, string] | string])[] = [
  ['first', ['export const first = 10;\n\n', '']],
  ['second', 'only a part of the statement'],
  ['one', ['let one = 1,\n  two', 'let two']],
  ['two', ['  two = 2,\n', '']],
  ['three', ['two = 2,\n  three = 3;', 'two = 2;']],
  ['run', ['export const run = () => {\n  return 1;\n};\n', '']],
  ['bare', ['var bare\n', '']],
  ['a', ['const a = 1, b', 'const b']],
  ['b', ['const a = 1, b = { a: 2 };', 'const a = 1;']],
  ['hidden', 'only a part of the statement'],
  ['Kind/First', ['  First,\n', '']],
  ['Kind/Second', 'the values of the members below it depend on its position'],
  ['Kind/Third', ['  Third,\n', '']],
  ['Kind/Fourth', ["  Fourth = 'x',\n", '']],
  ['Inline/A', ['{ A = 1, B', '{ B']],
  ['Inline/B', ['A = 1, B = 2, C', 'A = 1, C']],
  ['Inline/C', [', C = 3', '']],
  ['__DEV__', ['declare const __DEV__: boolean\n', '']],
  ['x', ['export const x =\n  // said\n  1;\n', '']],
];

for (const server of ['typescript', 'typescript_native']) {
  test(
    `${server}: deletes whole statements, single declarators and members that hold no other value`,
    async () => {
      const { workspace, client } = await openShared({
        ...projectOf(server),
        'src/a.ts': text,
      });
      for (const [name, result] of rows) {
        workspace.write('src/a.ts', text);
        const target = { name_path_pattern: name, relative_path: 'src/a.ts' };
        const answer = await client.call('safe_delete_symbol', target);
        if (typeof result === 'string') {
          expect([name, answer]).toMatchObject([name, { isError: true, text: expect.stringContaining(result) }]);
          expect(workspace.read('src/a.ts')).toBe(text);
        } else {
          expect([name, answer]).toMatchObject([name, { isError: false, text: expect.stringMatching(/^Deleted `/) }]);
          expect(text.split(result[0])).toHaveLength(2);
          expect([name, workspace.read('src/a.ts')]).toEqual([name, text.replace(result[0], () => result[1])]);
        }
      }
      for (const used of ['left', 'item', 'other']) {
        const target = { name_path_pattern: used, relative_path: 'src/a.ts' };
        workspace.write('src/a.ts', text);
        await client.call('safe_delete_symbol', target);
        expect(workspace.read('src/a.ts')).toBe(text);
      }
    },
    timeoutMs,
  );
}
