import { expect } from 'bun:test';
import { z } from 'zod';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

interface TypesOfNames {
  readonly files: Files;
  readonly file: string;
  /** By a regex that selects a name of `file`, its types as `file name path`; a message if there is none. */
  readonly types: Readonly<Record<string, readonly string[] | string>>;
}

const Entries = z.array(z.object({ name_path: z.string(), relative_path: z.string() }));

/** Tests that the types of names are found where they are declared. */
export function testTypesOfNames(tested: Tested, { files, file, types }: TypesOfNames): void {
  installTested(tested);
  testUnless(tested.whyNot)(
    `find_declaration with ${tested.spec.name} finds the types of names`,
    async () => {
      const { client } = await openShared(files, { env: tested.env });
      for (const [regex, expected] of Object.entries(types)) {
        const { text } = await client.call('find_declaration', { relative_path: file, regex, of_type: true });
        if (typeof expected === 'string') {
          expect(text).toContain(expected);
          continue;
        }
        const found = Entries.parse(JSON.parse(text.split('\n')[0] ?? ''));
        expect(found.map((one) => `${one.relative_path} ${one.name_path}`)).toEqual([...expected]);
      }
    },
    600_000,
  );
}
