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
  return readdirSync(directory)
    .sort()
    .flatMap((name) => z.array(EditResult).parse(JSON.parse(readFileSync(join(directory, name), 'utf8'))))
    .filter((result) => known.has(result.package));
}
