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
  const parsed = Object.entries(parsedResources).map(([path, content]) => [`parsed ${path}`, JSON.stringify(content)]);
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
