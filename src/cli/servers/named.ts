import { nearest } from '../../base/nearest.ts';
import { catalog, servers } from '../../languages/servers.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import { usageError } from '../usage.ts';

/**
 * Returns the servers that `words` name, without duplicates: by id, by the server's own name, or by language or file
 * extension, which select the default server for it. `known` may begin with the user's own servers.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown name, with the most similar one.
 */
export function serversNamed(words: readonly string[], known = servers): ServerSpec[] {
  return [...new Set(words.map((word) => serverNamed(word, known)))];
}

/** Returns the server that one word names; see {@link serversNamed}. */
export function serverNamed(word: string, known = servers): ServerSpec {
  const lower = word.toLowerCase();
  const found =
    catalog.find(word) ??
    known.find(({ id }) => id === lower) ??
    known.find(({ name }) => name.toLowerCase() === lower) ??
    known.find((spec) => spec.needsExplicitChoice !== true && covers(spec, lower));
  if (found !== undefined) return found;
  const ids = known.map(({ id }) => id);
  const like = nearest(word, [...ids, ...known.flatMap(({ name, files }) => [name, ...Object.values(files)])]);
  throw usageError(`there is no language server \`${word}\``, [
    like === undefined ? `use one of: ${ids.join(', ')}` : `did you mean \`${like}\`?`,
    'run `serena servers list` to list all language servers',
  ]);
}

function covers({ files }: ServerSpec, word: string): boolean {
  return Object.entries(files).some(([extension, language]) => language.toLowerCase() === word || extension === word);
}
