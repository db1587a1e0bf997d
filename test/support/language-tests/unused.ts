import { expect } from 'bun:test';
import { z } from 'zod';
import { openShared } from '../shared-session.ts';
import { testUnless } from '../skip.ts';
import { type Files, installTested, type Tested } from './tested.ts';

interface UnusedDeclarations {
  readonly files: Files;
  /** The whole answer as `use: name path`, of undecided ones with the reason. */
  readonly found: readonly string[];
}

const Entries = z.array(
  z.object({ name_path: z.string(), use: z.enum(['unused', 'tests', 'undecided']), why: z.string().optional() }),
);

/** Tests which declarations of a project are unused, used by tests only, or undecided. */
export function testUnused(tested: Tested, { files, found }: UnusedDeclarations): void {
  installTested(tested);
  testUnless(tested.whyNot)(
    `find_unused with ${tested.spec.name} lists unused declarations`,
    async () => {
      const { client } = await openShared(files, { env: tested.env });
      const { text } = await client.call('find_unused', {});
      const entries = Entries.parse(JSON.parse(text.split('\n')[0] ?? ''));
      const rows = entries.map(
        ({ name_path, use, why }) => `${use}: ${name_path}${why === undefined ? '' : `: ${why}`}`,
      );
      expect(rows).toEqual([...found]);
    },
    600_000,
  );
}
