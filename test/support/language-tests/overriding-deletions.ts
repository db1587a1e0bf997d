import { expect } from 'bun:test';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

interface Members {
  readonly file: string;
  /** Name path of a member that overrides, with its mark in the message. */
  readonly overriding: readonly [namePath: string, mark: string];
  /** Name path of a member that is marked and overrides nothing. */
  readonly pointless?: string;
  /** Name paths of members that override without a mark, each with what it overrides in the message. */
  readonly unmarked?: readonly (readonly [namePath: string, overridden: RegExp])[];
  /** Name path of a member that another one overrides with a mark, and that one with its file in the message. */
  readonly overridden?: readonly [namePath: string, by: string];
  /** Name path of a member that is not marked and overrides nothing. */
  readonly own: string;
  readonly files: Files;
}

/** Tests that a member that overrides or implements another one, and so runs without a reference, is deleted on request only. */
export function testOverridingDeletions(tested: Tested, members: Members): void {
  const { file, overriding, pointless, unmarked = [], overridden, own, files } = members;
  installTested(tested);
  testUnless(tested.whyNot)(
    `what overrides is not deleted with ${tested.spec.name} without a request`,
    async () => {
      const { workspace, client } = await openShared(files, { env: tested.env });
      const remove = (name: string, ignores = false) =>
        client.call('safe_delete_symbol', {
          name_path_pattern: name,
          relative_path: file,
          ...(ignores && { ignore_unresolved: true }),
        });
      const [namePath, mark] = overriding;
      const refused = await remove(namePath);
      expect(refused.text).toContain(`overrides or implements a member of another type (\`${mark}\`)`);
      expect(refused.text).toContain('hint: to delete it nevertheless, set `ignore_unresolved` to true');
      for (const [name, what] of unmarked) expect((await remove(name)).text).toMatch(what);
      if (overridden !== undefined) expect((await remove(overridden[0])).text).toContain(overridden[1]);
      expect(workspace.read(file)).toBe(files[file] ?? '');
      for (const [name, ignores] of [
        ...(pointless === undefined ? [] : [[pointless, false] as const]),
        [own, false] as const,
        [namePath, true] as const,
      ]) {
        const { text } = await remove(name, ignores);
        expect({ name, text: text.split('\n')[0] }).toEqual({ name, text: expect.stringMatching(/^Deleted `/) });
      }
    },
    600_000,
  );
}
