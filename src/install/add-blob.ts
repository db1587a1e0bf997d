import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Artefact } from './artefact.ts';
import { findBlob } from './blobs.ts';
import { writeFailure } from './failures.ts';
import { keepAsBlob } from './fetch.ts';
import { prepareFolders } from './layout.ts';
import { stagingFolder } from './staging.ts';
import { VerifiedFile } from './verified-file.ts';

/**
 * Keeps `content` (a file's absolute path, or its bytes as they come) as a blob below our home folder, verified while it is
 * written, and returns the blob's path. Content that is here already, also in a store, is not read.
 *
 * @throws {ExpectedError} `install.hash-mismatch` for other content than the artefact's, of which nothing is kept;
 *   `install.no-space`, `install.home-unusable`.
 */
export async function addBlob(
  { home, env }: { home: string; env: Readonly<Record<string, string | undefined>> },
  artefact: Pick<Artefact, 'title' | 'integrity' | 'sizeBytes'>,
  content: string | AsyncIterable<Uint8Array>,
): Promise<string> {
  const found = findBlob({ home, env }, artefact.integrity);
  if (found !== undefined) return found;
  const scratch = stagingFolder(prepareFolders(home).staging);
  const path = join(scratch, 'blob');
  try {
    mkdirSync(scratch);
    const file = new VerifiedFile(artefact, path);
    try {
      const chunks = typeof content === 'string' ? createReadStream(content, { highWaterMark: 2 ** 20 }) : content;
      for await (const chunk of chunks) file.write(chunk);
    } catch (error) {
      file.discard();
      throw error;
    }
    file.finish({ isSynced: true });
    return keepAsBlob(path, home, artefact.integrity);
  } catch (error) {
    throw writeFailure(error, { home }, artefact.sizeBytes);
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
