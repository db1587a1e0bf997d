import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { writeTextAtomically } from '../../src/base/files.ts';
import { symbenchCache } from './packages.ts';

/**
 * Returns the stored value of this key, or makes and stores it, so that an interrupted run continues where it was. A
 * stored value that no longer fits the schema is made again.
 */
export async function remembered<Schema extends z.ZodType>(
  key: readonly string[],
  schema: Schema,
  make: () => Promise<z.infer<Schema>>,
): Promise<z.infer<Schema>> {
  const path = storedPath(key);
  const known = readStored(path, schema);
  if (known !== undefined) return known;
  const value = await make();
  mkdirSync(dirname(path), { recursive: true });
  writeTextAtomically(path, `${JSON.stringify(value)}\n`);
  return value;
}

/** True if `remembered` would not have to make this value. */
export function isRemembered(key: readonly string[], schema: z.ZodType): boolean {
  return readStored(storedPath(key), schema) !== undefined;
}

function readStored<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> | undefined {
  if (!existsSync(path)) return undefined;
  return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
}

/** The last part of a key may have any characters and length. */
function storedPath(key: readonly string[]): string {
  const last = createHash('sha256')
    .update(key.at(-1) ?? '')
    .digest('hex')
    .slice(0, 16);
  const directories = key.slice(0, -1).map((part) => part.replaceAll(/[^\w.@-]+/g, '-'));
  return join(symbenchCache, 'stored', ...directories, `${last}.json`);
}
