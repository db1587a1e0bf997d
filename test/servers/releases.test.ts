import { describe, expect, test } from 'bun:test';
import { embeddedLock } from '../../src/install/lock/server-lock.ts';
import { assetFor } from '../../src/install/source/placements.ts';
import { type Plan, planOf } from '../../src/install/source/plan.ts';
import type { ArchiveSource, PinnedSource } from '../../src/install/source/source.ts';
import { findTarget, type Target, targetNames } from '../../src/install/target.ts';
import { servers } from '../../src/languages/servers.ts';
import { pinnedSource } from '../../src/servers/runtime/resolve.ts';
import { hintOf } from '../../src/servers/runtime/system-programs.ts';
import type { ServerSpec } from '../../src/servers/spec.ts';
import { makeTempDir } from '../support/temp.ts';
import published from './release-assets.json' with { type: 'json' };

/** The reference's downloads: addresses, hashes and platforms. */
interface Release {
  readonly url: string;
  readonly sha256: string;
  readonly on: readonly string[];
  /** The program in the archive, if the reference names it. */
  readonly program?: string;
}

const releases: Readonly<Record<string, readonly Release[]>> = published;

function target(name: string): Target {
  const found = findTarget(name);
  if (found === undefined) throw new Error(`no target ${name}`);
  return found;
}

function pinnedOf(id: string): PinnedSource {
  const spec = servers.find((server) => server.id === id);
  const source = spec && pinnedSource(spec);
  if (source === undefined) throw new Error(`${id} is not pinned`);
  return source;
}

function urlsOf({ placements }: Plan): [url: string, integrity: string][] {
  return (placements ?? []).flatMap(({ artifact }) =>
    artifact.origin.kind === 'url' ? [[artifact.origin.url, artifact.integrity]] : [],
  );
}

const archives = servers.flatMap((spec): { id: string; source: ArchiveSource }[] =>
  spec.install.flatMap((source) => (source.from === 'archive' ? [{ id: spec.id, source }] : [])),
);

describe('a server that is a release', () => {
  test.each(Object.keys(releases))('is fetched as the reference fetches it: %s', (id) => {
    for (const { url, sha256, on, program } of releases[id] ?? []) {
      for (const name of on.includes('any') ? targetNames : on) {
        const plan = planOf({ id, source: pinnedOf(id) }, target(name));
        const integrity = `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`;
        expect(urlsOf(plan)).toEqual([[url, integrity]]);
        if (program !== undefined) expect(`/${plan.program}`).toEndWith(`/${program}`);
      }
    }
  });

  // A musl platform may use the glibc asset only if the program is statically linked, as its spec states.
  test.each(archives)('and no other way: $id', ({ id, source }) => {
    for (const name of targetNames) {
      if (assetFor(source, target(name)) === undefined) continue;
      const [fetched] = urlsOf(planOf({ id, source }, target(name)));
      const usual = name.replace('-musl', '');
      const known = releases[id]?.filter(({ on }) => on.includes(usual) || on.includes('any') || source.assets.any);
      expect(known?.map(({ url }) => url)).toContain(fetched?.[0] ?? 'nothing');
    }
  });

  test('has no file in the lock that is never fetched', () => {
    const { servers: locked } = embeddedLock();
    for (const { id, source } of archives) {
      const entry = locked[id];
      const named = Object.values(source.assets).flatMap(({ file, also }) => [file, ...Object.values(also ?? {})]);
      expect(entry?.source === 'archive' ? Object.keys(entry.files).sort() : []).toEqual([...new Set(named)].sort());
    }
  });
});

const pinned = servers.filter((spec) => pinnedSource(spec) !== undefined);

/** Platforms without any release. */
const unpublished: Readonly<Record<string, readonly string[]>> = {
  toml: ['win32-arm64'],
  python_zuban: ['win32-arm64'],
};

describe('what is installed', () => {
  test.each(pinned)('has its program in its own directory, on every platform: $id', ({ id }) => {
    const source = pinnedOf(id);
    for (const name of targetNames) {
      if (source.from === 'archive' && assetFor(source, target(name)) === undefined) continue;
      if (unpublished[id]?.includes(name)) {
        expect(() => planOf({ id, source }, target(name))).toThrow('nothing is published for it');
        continue;
      }
      const { program, placements } = planOf({ id, source }, target(name));
      expect(program).toMatch(/^[\w@+.-]+(\/[\w@+.-]+)*$/);
      expect(program.split('/')).not.toContain('..');
      for (const { dest, unpack, isProgram } of placements ?? []) {
        expect(dest).not.toContain('..');
        // A file that is not an archive is the program itself, under its own name.
        if (source.from === 'archive' && (unpack === 'raw' || unpack === 'gz')) {
          expect({ dest, isProgram }).toEqual({ dest: program, isProgram: true });
        }
      }
    }
  });
});

const builtIn = ['directory', 'root', 'cache', 'temp', 'program', 'os', 'cpu', 'exe', 'version', 'file'];

function placeholdersOf({ install, args, env, initializationOptions, settings }: ServerSpec): string[] {
  const text = JSON.stringify([install, args, env, initializationOptions, settings]);
  return [...text.matchAll(/\{([a-zA-Z_]\w*)\}/g)].map(([, name = '']) => name);
}

describe('every server', () => {
  test.each(servers)('can be fetched, or has a hint: $id', ({ install }) => {
    expect(install).not.toEqual([]);
    for (const source of install) {
      if (['npm', 'go', 'pypi', 'archive'].includes(source.from)) continue;
      // A clause without a capital letter and a full stop, like all hints.
      expect(hintOf(source) ?? '').toMatch(/^[a-z].{8,}[^.]$/);
    }
  });

  test.each(servers)('uses only placeholders that exist: $id', (spec) => {
    const words = spec.install.flatMap((source) =>
      source.from === 'archive' ? Object.values(source.assets).flatMap((asset) => Object.keys(asset.words ?? {})) : [],
    );
    const code = Object.keys(spec.quirks?.projectCodeSubstitutes?.paths ?? {});
    const prepared = spec.quirks?.prepare?.({ root: makeTempDir('root'), cache: makeTempDir('cache') });
    const own = [...Object.keys(prepared ?? {}), ...Object.keys(spec.ownSettings ?? {})];
    const known = [...builtIn, ...words, ...code, ...own];
    for (const name of placeholdersOf(spec)) expect(known).toContain(name);
  });

  test.each(servers)('uses each setting of its own: $id', (spec) => {
    // Some settings are read by the lookup of programs, and one by the end of daemons.
    const used = [
      ...placeholdersOf(spec),
      'java_home',
      'ls_java_home_path',
      'ls_jar_path',
      'port',
      'matlab_path',
      ...(spec.quirks?.daemons ? [spec.quirks.daemons.setting] : []),
    ];
    const unused = spec.ignoredSettings ?? [];
    for (const key of Object.keys(spec.ownSettings ?? {})) expect(used).toContain(key);
    for (const key of unused) expect(placeholdersOf(spec)).not.toContain(key);
  });
});
