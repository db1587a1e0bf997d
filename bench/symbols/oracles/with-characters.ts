import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchSymbol } from '../model.ts';

/** Returns the symbol with its column in UTF-16 code units; that of the argument counts bytes. */
export function withCharacters(directory: string, { name, namePath, kind, isExported, at }: BenchSymbol): BenchSymbol {
  const line = readFileSync(join(directory, at.file), 'utf8').split('\n')[at.line] ?? '';
  const column = Buffer.from(line).subarray(0, at.column).toString('utf8').length;
  return { name, namePath, kind, isExported, at: { ...at, column } };
}
