import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Returns a short hash of a file's content: the version of a contender that has no other. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex').slice(0, 12);
}
