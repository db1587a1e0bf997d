import { expect } from 'bun:test';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

interface Insertion {
  readonly file: string;
  readonly name: string;
  /** `»` marks the expected position of the inserted text. */
  readonly text: string;
  readonly body: string;
  readonly files?: Files;
}

/** Tests that `insert_before_symbol` inserts above comments and attributes that belong to the symbol. */
export function testInsertions(tested: Tested, { file, name, text, body, files = {} }: Insertion): void {
  installTested(tested);
  testUnless(tested.whyNot)(
    `insert_before_symbol with ${tested.spec.name} inserts above comments and attributes of the symbol`,
    async () => {
      const { workspace, client } = await openShared({ ...files, [file]: text.replace('»', '') }, { env: tested.env });
      await client.ask('insert_before_symbol', { name_path: name, relative_path: file, body });
      expect(workspace.read(file)).toBe(text.replace('»', `${body}\n\n`));
    },
    600_000,
  );
}
