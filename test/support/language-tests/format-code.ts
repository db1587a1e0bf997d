import { expect } from 'bun:test';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

interface Formatting {
  readonly files: Files;
  readonly file: string;
  /** 0-based, inclusive, and the text after these lines were formatted. */
  readonly lines: readonly [first: number, last: number];
  readonly partly: string;
  readonly whole: string;
}

/** Tests that a file, and lines of it, are formatted with a dry run and an undo. */
export function testFormatCode(tested: Tested, { files, file, lines: [first, last], partly, whole }: Formatting): void {
  installTested(tested);
  testUnless(tested.whyNot)(
    `format_code formats with ${tested.spec.name}`,
    async () => {
      const { workspace, client } = await openShared(files, { env: tested.env });
      const before = workspace.read(file);
      const format = (args = {}) => client.ask('format_code', { relative_path: file, ...args });
      expect(await format({ dry_run: true })).toContain(`Would have formatted \`${file}\``);
      expect(workspace.read(file)).toBe(before);
      expect(await format({ start_line: first, end_line: last })).toContain(`Formatted \`${file}\``);
      expect(workspace.read(file)).toBe(partly);
      await format();
      expect(workspace.read(file)).toBe(whole);
      expect(await format()).toContain('is formatted already');
      await client.ask('edit_history', { action: 'undo', count: 2 });
      expect(workspace.read(file)).toBe(before);
    },
    600_000,
  );
}
