import { expect } from 'bun:test';
import { expectClearError } from '../clear.ts';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { trustedWithActions } from './code-actions.ts';
import { type Files, installTested, type Tested } from './tested.ts';

/** Tests that `move_symbol` refuses with what to do instead. `file` has the symbol `top`. */
export function testMoveRefusal(
  tested: Tested,
  { file, text, files = {} }: { file: string; text: string; files?: Files },
): void {
  installTested(tested);
  testUnless(tested.whyNot)(
    `move_symbol with ${tested.spec.name}, which does not offer it, refuses with what to do`,
    async () => {
      const { workspace: project, client } = await openShared(
        { ...files, [file]: text },
        { config: trustedWithActions, env: tested.env },
      );
      const to = file.replace(/\w+(\.\w+)$/, 'other$1');
      const refused = await client.call('move_symbol', {
        name_path: 'top',
        relative_path: file,
        new_relative_path: to,
      });
      expectClearError(refused, 'does not move symbols to other files', '`code_actions`', '`safe_delete_symbol`');
      expect(project.read(file)).toBe(text);
    },
    600_000,
  );
}
