import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from './fetch.ts';

/** Where Debian says which servers have its packages, in the two formats of that. */
const sourceLists = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];

/**
 * Downloads the upstream part of a Debian source package (`name=version`) into `directory`, without its top directory.
 * The system's own lists of packages stay unchanged; those of source packages are kept in `cache`.
 *
 * @throws {Error} on a system without Debian's lists of servers
 */
export async function fetchDebianSource(directory: string, specifier: string, cache: string): Promise<void> {
  const list = sourceLists.find((path) => existsSync(path));
  if (list === undefined) throw new Error('source packages of Debian need its lists of servers in `/etc/apt`');
  const parts = join(cache, 'parts');
  for (const name of ['parts', 'lists/partial', 'archives/partial']) mkdirSync(join(cache, name), { recursive: true });
  const ending = list.endsWith('.sources') ? 'sources' : 'list';
  const servers = readFileSync(list, 'utf8').replaceAll(/^(Types: )?deb\b(?!-)/gm, '$1deb-src');
  writeFileSync(join(parts, `debian.${ending}`), servers);
  const places = { Etc: { SourceList: '/dev/null', SourceParts: parts }, State: { Lists: join(cache, 'lists') } };
  const options = Object.entries(places).flatMap(([group, paths]) =>
    Object.entries(paths).flatMap(([name, path]) => ['-o', `Dir::${group}::${name}=${path}`]),
  );
  const own = [...options, '-o', `Dir::Cache=${cache}`, '-o', 'APT::Sandbox::User=root', '--quiet=2'];
  await mustRun('apt-get', [...own, 'update'], directory);
  await mustRun('apt-get', [...own, 'source', '--download-only', specifier], directory);
  const downloaded = readdirSync(directory);
  const archive = downloaded.find((name) => /\.orig\.tar\.\w+$/.test(name));
  if (archive === undefined) throw new Error(`${specifier} has no upstream archive`);
  await mustRun('tar', ['-xf', archive, '--strip-components=1'], directory);
  for (const name of downloaded) rmSync(join(directory, name));
}
