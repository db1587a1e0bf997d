import { realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ExpectedError } from '../../../base/errors.ts';
import { readTextIfExists, writeTextAtomically } from '../../../base/files.ts';
import type { Environment } from '../../environment.ts';
import { brokenFile } from './broken-file.ts';
import type { Client } from './client.ts';
import { keepCopy } from './configure-file.ts';
import { findClientProgram } from './configure-program.ts';
import type { FileFormat } from './format.ts';
import { runClientProgram } from './run-program.ts';
import { withoutValue } from './with-value.ts';

/** An entry in a client's configuration, where it is, and the format of that file. */
export interface ClientEntry {
  readonly client: Client;
  /** Absolute path of the configuration file. */
  readonly file: string;
  /** Path of keys to the entry. */
  readonly path: readonly string[];
  readonly format: FileFormat;
}

/**
 * Removes an entry from a client's configuration: through the client's program if it keeps its state in that file, else from
 * the file, of which a copy is kept. Returns the absolute path of the copy, if one was made.
 *
 * @throws {ExpectedError} `config.invalid` for a broken file; `client.refused` if the client's program is missing or fails.
 */
export async function removeEntry(entry: ClientEntry, { env }: Environment): Promise<string | undefined> {
  if (entry.client.isStateFile === true) {
    await removeThroughProgram(entry.client, env);
    return undefined;
  }
  const file = realpathSync(entry.file);
  const before = readTextIfExists(file) ?? '';
  const text = before.replace(byteOrderMark, '');
  const changed = entry.format.remove(text, entry.path);
  const expected = withoutValue(entry.format.parse(text, file), entry.path);
  if (!isDeepStrictEqual(entry.format.parse(changed, file), expected))
    throw brokenFile(file, 1, 'the entry cannot be removed without changing others');
  const copy = keepCopy(file);
  writeTextAtomically(file, (before.startsWith(byteOrderMark) ? byteOrderMark : '') + changed);
  return copy;
}

const byteOrderMark = '\uFEFF';

async function removeThroughProgram({ name, program }: Client, env: Environment['env']): Promise<void> {
  const path = program && (await findClientProgram(program, env));
  const removed = path === undefined ? undefined : await runClientProgram(path, program?.remove ?? [], env);
  if (removed?.code === 0) return;
  const command = [program?.name, ...(program?.remove ?? [])].join(' ');
  throw new ExpectedError(
    'client.refused',
    `${name} did not remove the server: ${removed?.output.trim() ?? 'not found'}`,
    {
      hints: [`run: ${command}`],
    },
  );
}
