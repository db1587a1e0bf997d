import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { languages } from '../languages.ts';
import type { Measured } from '../measured.ts';

/** What all stored results have. */
interface Stored {
  readonly package: string;
  readonly measured?: Measured | undefined;
}

/**
 * Returns the results in the files of a directory (absolute), in the order of their names. Results of an older form and
 * of packages that are no longer asked about are left out. One without a date gets that of its file.
 */
export function readStored<Kind extends Stored>(directory: string, schema: z.ZodType<Kind>): Kind[] {
  if (!existsSync(directory)) return [];
  const known = new Set(
    languages.flatMap(({ packages }) => packages.flatMap(({ name, language }) => [name, `traps ${language}`])),
  );
  return readdirSync(directory)
    .sort()
    .flatMap((name) => {
      const path = join(directory, name);
      const measured = { date: statSync(path).mtime.toISOString().slice(0, 10) };
      const results = z.array(schema).safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? [];
      return results.map((result) => ({ measured, ...result }));
    })
    .filter((result) => known.has(result.package));
}
