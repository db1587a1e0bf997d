import { expect } from 'bun:test';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

interface OneLineMembers {
  readonly file: string;
  /** Text of the file, with types whose members share a line. */
  readonly text: string;
  /** Name path of a member → what is replaced and its replacement, or a part of the reason to refuse. */
  readonly rows: readonly (readonly [string, readonly [string, string] | string])[];
  readonly files?: Files;
}

/** Tests that a member is deleted although it shares a line with others, if it is certain where it begins and ends. */
export function testOneLineMembers(tested: Tested, { file, text, rows, files = {} }: OneLineMembers): void {
  installTested(tested);
  testUnless(tested.whyNot)(
    `safe_delete_symbol with ${tested.spec.name} deletes members that share a line`,
    async () => {
      const { workspace, client } = await openShared({ ...files, [file]: text }, { env: tested.env });
      for (const [name, result] of rows) {
        workspace.write(file, text);
        const answer = await client.call('safe_delete_symbol', { name_path_pattern: name, relative_path: file });
        if (typeof result === 'string') {
          expect([name, answer]).toMatchObject([name, { isError: true, text: expect.stringContaining(result) }]);
          expect(workspace.read(file)).toBe(text);
        } else {
          expect([name, answer]).toMatchObject([name, { isError: false, text: expect.stringMatching(/^Deleted `/) }]);
          expect(text.split(result[0])).toHaveLength(2);
          expect([name, workspace.read(file)]).toEqual([name, text.replace(result[0], () => result[1])]);
        }
      }
    },
    600_000,
  );
}
