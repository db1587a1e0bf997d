import { expect } from 'bun:test';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

interface CleanEdits {
  readonly files: Files;
  readonly symbol: readonly [namePath: string, file: string];
  /** A definition that breaks a user in another file, and part of the reported problem. */
  readonly breaking: readonly [body: string, problem: string];
  /** One that breaks nothing. */
  readonly clean: string;
}

const prevented = 'Nothing was changed, because of `if_clean`: ';

/** Tests that `if_clean` makes an edit only if no file of the project gets a new problem. */
export function testCleanEdits(tested: Tested, { files, symbol, breaking, clean }: CleanEdits): void {
  installTested(tested);
  const [name_path, file] = symbol;
  testUnless(tested.whyNot)(
    `an edit with if_clean is made with ${tested.spec.name} only if it causes no problem`,
    async () => {
      const { workspace, client } = await openShared(files, { env: tested.env });
      const replace = (body: string, more = {}) =>
        client.call('replace_symbol_body', { name_path, relative_path: file, body, if_clean: true, ...more });
      const [body, problem] = breaking;
      const refused = (await replace(body)).text;
      expect(refused).toContain(`${prevented}1 new problem.`);
      expect(refused).toContain(problem);
      expect(workspace.read(file)).toBe(files[file] ?? '');
      const edit = { tool: 'replace_symbol_body', arguments: { name_path, relative_path: file, body } };
      const joined = (await client.call('apply_edits', { edits: [edit], if_clean: true })).text;
      expect(joined).toContain(`${prevented}1 new problem.`);
      const first = { tool: 'create_text_file', arguments: { relative_path: 'notes.txt', content: 'new' } };
      const chain = (await client.call('apply_edits', { edits: [first, edit], if_clean: true })).text;
      expect(chain).toContain(
        'Edit 1 alone is clean; the first new problem comes with edit 2 (`replace_symbol_body`).',
      );
      expect(workspace.read(file)).toBe(files[file] ?? '');
      expect((await replace(clean)).text).toStartWith('OK');
      expect(workspace.read(file)).toContain(clean);
    },
    600_000,
  );
}

/** Tests that `if_clean` makes no edit that the server cannot check before it is written, and says so. */
export function testUncheckedEdits(
  tested: Tested,
  { files, symbol, clean, unchecked }: Omit<CleanEdits, 'breaking'> & { readonly unchecked: string },
): void {
  installTested(tested);
  const [name_path, relative_path] = symbol;
  testUnless(tested.whyNot)(
    `an edit with if_clean is not made with ${tested.spec.name}, which cannot check it`,
    async () => {
      const { workspace, client } = await openShared(files, { env: tested.env });
      const edit = { name_path, relative_path, body: clean, if_clean: true };
      const { text } = await client.call('replace_symbol_body', edit);
      expect(text).toContain(`${prevented}not checked: \`${unchecked}\`.`);
      expect(workspace.read(relative_path)).toBe(files[relative_path] ?? '');
    },
    600_000,
  );
}
