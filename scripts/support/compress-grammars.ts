import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { readTextIfExists } from '../../src/base/files.ts';
import { parsedProfiles } from '../../src/languages/profiles.ts';
import { enginePackagePath } from '../../src/sandbox/script-engine.ts';
import { runtimePackagePath } from '../../src/syntax/grammar-bytes.ts';
import { root } from './paths.ts';

const directory = join(root, 'src/generated/grammars');
/** The highest one that needs no more memory to decompress. */
const level = 19;

/**
 * Writes the compressed grammars and the engine for scripts that a build embeds, from the installed packages. Those that are current stay
 * unchanged: the others take a few seconds.
 */
export function compressGrammars(): void {
  mkdirSync(directory, { recursive: true });
  const grammars = Object.entries(parsedProfiles).map(([name, { grammar }]) => [name, grammar] as const);
  const modules = [['runtime', runtimePackagePath] as const, ['quickjs', enginePackagePath] as const];
  for (const [name, path] of [...modules, ...grammars]) {
    compress(join(root, 'node_modules', path), join(directory, `${name}.wasm.zst`));
  }
}

function compress(source: string, target: string): void {
  const bytes = readFileSync(source);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const stamp = `${target}.source-sha256`;
  if (readTextIfExists(stamp) === hash) return;
  writeFileSync(target, zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } }));
  writeFileSync(stamp, hash);
}
