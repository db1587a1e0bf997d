import { createHash } from 'node:crypto';
import serverLock from '../../../resources/server-lock.json' with { type: 'json' };
import heapStatistics from '../../../resources/shims/heap-statistics.cjs.txt' with { type: 'text' };
import ownCode from '../../../resources/shims/own-code.cjs.txt' with { type: 'text' };
import ownPlugins from '../../../resources/shims/own-plugins.cjs.txt' with { type: 'text' };
import { parsedResources } from '../../generated/parsed-resources.ts';
import { resources } from '../../generated/resources.ts';

/** Embedded texts by name. */
export type Texts = Readonly<Record<string, string>>;

/** Returns all data embedded in the program, as text. */
export function embeddedTexts(): Texts {
  const parsed = Object.entries(parsedResources).map(([path, content]) => [`parsed ${path}`, content]);
  return {
    ...resources,
    ...Object.fromEntries(parsed),
    'server-lock.json': JSON.stringify(serverLock),
    'shims/heap-statistics.cjs.txt': heapStatistics,
    'shims/own-code.cjs.txt': ownCode,
    'shims/own-plugins.cjs.txt': ownPlugins,
  };
}

/** Returns the SHA-256 of each text, as comma-separated `name=hex` pairs, sorted by name. */
export function digestOf(texts: Texts): string {
  const lines = Object.entries(texts).map(
    ([name, text]) => `${name}=${createHash('sha256').update(text).digest('hex')}`,
  );
  return lines.sort().join(',');
}

/** Beginning of the line that a build appends to the program. */
const sealPrefix = '\nserena-seal sha256:';
const sealBytes = sealPrefix.length + 64 + 1;

/**
 * Returns the seal that a build appends to `program`, so that the program can check later that it is intact. Operating
 * systems ignore bytes after the program's own. On macOS the signature has this role instead.
 */
export function sealOf(program: Uint8Array): string {
  return `${sealPrefix}${createHash('sha256').update(program).digest('hex')}\n`;
}

/** Compares a program with its seal; `absent` if it has none, or was truncated. */
export function checkSeal(program: Uint8Array): 'intact' | 'changed' | 'absent' {
  const end = Math.max(0, program.length - sealBytes);
  const found = Buffer.from(program.subarray(end)).toString('latin1');
  if (!found.startsWith(sealPrefix)) return 'absent';
  return found === sealOf(program.subarray(0, end)) ? 'intact' : 'changed';
}
