import { expect } from 'bun:test';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

interface Formatted {
  /** Name of the server in notes. */
  readonly server: string;
  readonly file: string;
  readonly files?: Files;
  readonly isTrusted?: boolean;
  /** Code with a symbol, not formatted as the server formats. */
  readonly code: string;
  readonly body: string;
  /** The symbol beside which and in place of which `body` is put, and the files after that. */
  readonly symbol: string;
  readonly after: string;
  readonly before: string;
  readonly replaced: string;
}

/** Settings of a project whose inserted code is formatted. */
export const formatting = { '.serena/project.yml': 'format_inserted_code: true\n' };

/** Tests that a server formats the code that symbol edits insert, and no other code. */
export function testFormatting(tested: Tested, given: Formatted): void {
  const { server, file, files, isTrusted = false, code, body, symbol } = given;
  installTested(tested);
  testUnless(tested.whyNot)(
    `inserted code is formatted, and no other code, by ${tested.spec.name}`,
    async () => {
      const { workspace: project, client } = await openShared(
        { ...formatting, ...files, [file]: code },
        { env: tested.env, ...(isTrusted && { config: { trusted_project_path_patterns: ['/**'] } }) },
      );
      const target = { name_path: symbol, relative_path: file };
      const note = `Note:\n- ${server} formatted the new code in \`${file}\``;
      for (const [tool, expected] of [
        ['insert_after_symbol', given.after],
        ['insert_before_symbol', given.before],
        ['replace_symbol_body', given.replaced],
      ] as const) {
        const { blocks } = await client.call(tool, { ...target, body });
        expect([tool, project.read(file), ...blocks]).toEqual([tool, expected, 'OK', note]);
        expect(await client.ask('edit_history', { action: 'undo' })).toContain('1 file changed');
        expect(project.read(file)).toBe(code);
      }
    },
    600_000,
  );
}
