import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { languages } from '../languages.ts';
import { symbenchCache } from '../packages.ts';
import { EditResult } from './edit-result.ts';

/** Returns the stored verdicts of all languages. */
export function readEditResults(): EditResult[] {
  const directory = join(symbenchCache, 'edit-results');
  if (!existsSync(directory)) return [];
  const known = new Set(languages.flatMap(({ packages }) => packages.map(({ name }) => name)));
  return (
    readdirSync(directory)
      .sort()
      // Results of an older form are left out, as those of tasks that were never run.
      .flatMap(
        (name) => z.array(EditResult).safeParse(JSON.parse(readFileSync(join(directory, name), 'utf8'))).data ?? [],
      )
      .filter((result) => known.has(result.package))
  );
}
