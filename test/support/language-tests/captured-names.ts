import { expect } from 'bun:test';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

interface CapturedNames {
  readonly files: Files;
  readonly file: string;
  /** Renames that compile and change what a name means, each with the reason in the message. */
  readonly refused: readonly (readonly [namePath: string, newName: string, reason: string])[];
  /** A rename to a name that only other scopes have. */
  readonly done: readonly [namePath: string, newName: string];
}

/** Tests that a rename is refused if the new name has another meaning where the symbol is used, or gets the symbol's. */
export function testCapturedNames(tested: Tested, { files, file, refused, done }: CapturedNames): void {
  installTested(tested);
  testUnless(tested.whyNot)(
    `a rename with ${tested.spec.name} changes no other name's meaning`,
    async () => {
      const { workspace, client } = await openShared(files, { env: tested.env });
      const rename = (namePath: string, newName: string, more = {}) =>
        client.call('rename_symbol', { name_path: namePath, relative_path: file, new_name: newName, ...more });
      for (const [namePath, newName, reason] of refused) {
        const { text } = await rename(namePath, newName);
        expect(text).toContain(`\`${newName}\`: ${reason} (0-based lines)`);
        expect(text).toContain('hint: to rename it nevertheless, set `force` to true');
      }
      expect(workspace.read(file)).toBe(files[file] ?? '');
      const { text } = await rename(...done);
      expect(text).toMatch(/^Renamed .*; complete/);
      const [[namePath = '', newName = ''] = []] = refused;
      expect((await rename(namePath, newName, { force: true })).text).toStartWith('Renamed ');
    },
    600_000,
  );
}
