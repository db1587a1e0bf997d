import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

/** What decides which definitions a text has: tables, their interpretation, and the compressed grammars. */
const directories = ['src/syntax', 'src/languages', 'src/symbols/model', 'src/text', 'src/generated/grammars'];
const source = /\.(?:ts|zst)$/;
const profile = /(?:profiles?|outline-rules|shared-syntax)\.ts$/;

/** Returns a digest that changes whenever a build may find other definitions in the same text. */
export function parserDigest(): string {
  const hash = createHash('sha256');
  for (const directory of directories) {
    const paths = readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).sort();
    for (const path of paths.filter((one) => (directory === 'src/languages' ? profile : source).test(one))) {
      hash.update(`${path.replaceAll('\\', '/')}\0`).update(readFileSync(join(root, directory, path)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
