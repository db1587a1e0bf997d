import { nearest } from '../../base/nearest.ts';
import { findServer, servers } from '../../servers/catalog/servers.ts';
import type { ServerSpec } from '../../servers/catalog/spec.ts';
import { usageError } from '../usage.ts';

/**
 * Returns the servers that `words` name, each once: by their id, by the server's own name, or by a language or file suffix of
 * theirs, which means the server that is used for it without configuration.
 *
 * @throws {ExpectedError} `usage.invalid` for a word that names none, with those most like it.
 */
export function serversNamed(words: readonly string[]): ServerSpec[] {
  return [...new Set(words.map(serverNamed))];
}

/** The same for one word. */
export function serverNamed(word: string): ServerSpec {
  const lower = word.toLowerCase();
  const found =
    findServer(word) ??
    servers.find(({ name }) => name.toLowerCase() === lower) ??
    servers.find((spec) => spec.needsExplicitChoice !== true && speaks(spec, lower));
  if (found !== undefined) return found;
  const ids = servers.map(({ id }) => id);
  const like = nearest(word, [...ids, ...servers.flatMap(({ name, files }) => [name, ...Object.values(files)])]);
  throw usageError(`There is no language server \`${word}\``, [
    like === undefined ? `Use: ${ids.join(', ')}` : `Did you mean \`${like}\`?`,
    '`serena servers list` tells about all that there are',
  ]);
}

function speaks({ files }: ServerSpec, word: string): boolean {
  return Object.entries(files).some(([suffix, language]) => language.toLowerCase() === word || suffix === word);
}
