// Usage: bun scripts/update-server-lock.ts [--check] [server-id...]
//
// Writes resources/server-lock.json, and is its only writer. Resolves the versions in src/languages to the exact
// packages and modules of an installation, downloads each once and unpacks it with the installer's own code.
// Needs a network, npm on a current Node (npm silently skips versions that require a newer one), Go, and pip for Python
// packages. Go programs are built for every platform, which takes a minute or two each.
// Files of releases are not downloaded: their hashes are in scripts/support/archive-hashes.json.
// With ids, only those servers are resolved again. `--check` needs no network: it verifies that the lock matches the specs.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pacote from 'pacote';
import { z } from 'zod';
import { loadNpmOptions } from '../src/install/fetch/npm.ts';
import {
  type LockEntry,
  type LockedModule,
  type LockedPackage,
  parseServerLock,
} from '../src/install/lock/server-lock.ts';
import type { GoSource, NpmSource, PinnedSource } from '../src/install/source/source.ts';
import { findTarget, runsOn, targetNames } from '../src/install/target.ts';
import { unpackTarball } from '../src/install/unpack/npm-tarball.ts';
import { servers } from '../src/languages/servers.ts';
import { pinnedSource } from '../src/servers/runtime/resolve.ts';
import { lockArchive } from './support/archive-hashes.ts';
import { withBinaries } from './support/lock-go.ts';
import { lockWheels } from './support/lock-wheels.ts';

type Pin = PinnedSource & { readonly id: string };

const pins: readonly Pin[] = servers.flatMap((spec) => {
  const source = pinnedSource(spec);
  return source === undefined ? [] : [{ id: spec.id, ...source }];
});

const targets = targetNames.flatMap((name) => findTarget(name) ?? []);
const lockFile = join(import.meta.dirname, '..', 'resources', 'server-lock.json');
const generatedBy = 'scripts/update-server-lock.ts';

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--check')) return check();
  const locked: Record<string, LockEntry> = {};
  for (const pin of pins) {
    const previous =
      args.length === 0 || args.includes(pin.id) ? undefined : parseServerLock(readLock()).servers[pin.id];
    locked[pin.id] = previous ?? (await inTemporaryDirectory((directory) => resolve(pin, directory)));
    console.log(`${pin.id}: ${locked[pin.id]?.version}${previous === undefined ? '' : ' (kept)'}`);
  }
  writeFileSync(lockFile, serialize(locked));
  return check();
}

function resolve(pin: Pin, directory: string): Promise<LockEntry> | LockEntry {
  if (pin.from === 'npm') return resolveNpm(pin, directory);
  if (pin.from === 'go') return resolveGo(pin, directory);
  if (pin.from === 'archive') return lockArchive(pin.id, pin);
  return lockWheels(pin, directory, run);
}

/** Packages whose install scripts are known to be unnecessary; any other install script must be reviewed. */
const reviewed = ['fsevents', 'core-js', 'protobufjs'];

async function resolveNpm({ packages, isBundled }: NpmSource, directory: string): Promise<LockEntry> {
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved'], directory);
  const schema = z.object({
    packages: z.record(
      z.string(),
      z.object({
        name: z.string().optional(),
        version: z.string().optional(),
        integrity: z.string().optional(),
        os: z.array(z.string()).optional(),
        cpu: z.array(z.string()).optional(),
        libc: z.array(z.string()).optional(),
        optional: z.literal(true).optional(),
        hasInstallScript: z.boolean().optional(),
        optionalDependencies: z.record(z.string(), z.string()).optional(),
      }),
    ),
  });
  const resolved = schema.parse(JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'))).packages;
  const options = await loadNpmOptions(directory, process.env);
  requireOptional(resolved);
  const locked: LockedPackage[] = [];
  for (const [dest, found] of Object.entries(resolved)) {
    // Bundled packages: keep only the requested ones, which are at the top level.
    if (dest === '' || (isBundled === true && !Object.hasOwn(packages, dest.slice('node_modules/'.length)))) continue;
    const { version = '', integrity = '', os, cpu, libc, optional } = found;
    const name = found.name ?? dest.slice(dest.lastIndexOf('node_modules/') + 'node_modules/'.length);
    // Skip packages for unsupported platforms.
    if (!targets.some((target) => runsOn(target, { os, cpu, libc }))) continue;
    if (found.hasInstallScript && isBundled !== true && !reviewed.includes(name))
      throw new Error(`${name}@${version} has an install script that was not reviewed`);
    const sizes = await measure(
      { spec: `${name}@${version}`, integrity, directory: join(directory, 'unpacked', dest) },
      options.flat,
    );
    locked.push(withoutUndefined({ name, version, integrity, dest, ...sizes, os, cpu, libc, optional }));
  }
  return { source: 'npm', version: versionOf(packages), packages: locked.sort((a, b) => (a.dest < b.dest ? -1 : 1)) };
}

/** Throws if the registry lacks an optional dependency, which npm omits silently: it may be needed on another platform. */
function requireOptional(
  resolved: Readonly<Record<string, { optionalDependencies?: Readonly<Record<string, string>> | undefined }>>,
): void {
  const names = Object.keys(resolved);
  for (const [dest, { optionalDependencies = {} }] of Object.entries(resolved)) {
    for (const name of Object.keys(optionalDependencies)) {
      const isResolved = names.some(
        (other) => other === `node_modules/${name}` || other.endsWith(`/node_modules/${name}`),
      );
      if (!isResolved) throw new Error(`${dest} may need ${name}, which the registry does not have`);
    }
  }
}

/** Downloads a package and unpacks it with the installer's own code, so that nothing is pinned that it would reject. */
async function measure(
  { spec, integrity, directory }: { spec: string; integrity: string; directory: string },
  flat: Readonly<Record<string, unknown>>,
): Promise<{ sizeBytes: number; unpackedBytes: number }> {
  const tarball = await pacote.tarball(spec, { ...flat, integrity });
  const { sizeBytes } = await unpackTarball(tarball, { what: spec, directory, signal: new AbortController().signal });
  return { sizeBytes: tarball.length, unpackedBytes: sizeBytes };
}

/** Returns the version of the first package, followed by the names and versions of the others. */
function versionOf(packages: Readonly<Record<string, string>>): string {
  const [first, ...others] = Object.entries(packages);
  return [
    first?.[1] ?? '',
    ...others.map(([name, version]) => `${name.replace('@', '').replace('/', '-')}-${version}`),
  ].join('+');
}

function resolveGo({ module, version }: GoSource, directory: string): Promise<LockEntry> {
  run('go', ['mod', 'init', 'pinned'], directory);
  run('go', ['get', `${module}@${version}`], directory);
  const modules = new Map<string, LockedModule>();
  // The modules of a program may differ between operating systems.
  for (const system of ['darwin', 'linux', 'windows']) {
    const template = '{{with .Module}}{{.Path}} {{.Version}} {{.Sum}}{{end}}';
    const listed = run('go', ['list', '-deps', '-f', template, module], directory, { GOOS: system });
    for (const line of listed.split('\n')) {
      const [name = '', of = '', sum = ''] = line.split(' ');
      if (name !== '') modules.set(name, { name, version: of, sum });
    }
  }
  const sorted = [...modules.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  // The Go version is pinned too, because it determines the bytes: the installed one, or a newer one that the module requires.
  const toolchain = run('go', ['env', 'GOVERSION'], directory).trim();
  return withBinaries({ source: 'go', version, module, modules: sorted }, toolchain, directory);
}

function check(): number {
  const problems: string[] = [];
  const text = readFileSync(lockFile, 'utf8');
  const locked = parseServerLock(JSON.parse(text)).servers;
  if (text !== serialize(locked)) problems.push('is not formatted as the script writes it');
  if (/:\/\//.test(text)) problems.push('has a URL');
  const known = pins.map(({ id }) => id);
  for (const id of Object.keys(locked))
    if (!known.includes(id)) problems.push(`has \`${id}\`, which is not in src/languages/servers.ts`);
  for (const pin of pins) if (!matches(pin, locked[pin.id])) problems.push(`does not match the spec of \`${pin.id}\``);
  for (const problem of problems) console.error(`resources/server-lock.json ${problem}`);
  if (problems.length > 0) console.error('Run `bun scripts/update-server-lock.ts`');
  return problems.length === 0 ? 0 : 1;
}

function matches(pin: Pin, entry: LockEntry | undefined): boolean {
  if (entry === undefined || entry.source !== pin.from) return false;
  if (pin.from === 'go') {
    return entry.source === 'go' && has(entry.modules, pin.module, pin.version) && entry.module === pin.module;
  }
  if (pin.from === 'archive') return isDeepStrictEqual(entry, lockArchive(pin.id, pin));
  const required = Object.entries(pin.packages);
  if (entry.source === 'pypi') return required.every(([name, version]) => has(entry.wheels, name, version));
  if (entry.source !== 'npm' || entry.version !== versionOf(pin.packages)) return false;
  return required.every(([name, version]) => has(entry.packages, name, version));
}

function has(parts: readonly { name: string; version: string }[], name: string, version: string): boolean {
  return parts.some((part) => part.name === name && part.version === version);
}

function serialize(locked: Readonly<Record<string, LockEntry>>): string {
  const sorted = Object.fromEntries(Object.entries(locked).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ generatedBy, servers: sorted }, null, 1)}\n`;
}

function readLock(): unknown {
  return JSON.parse(readFileSync(lockFile, 'utf8'));
}

function run(command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}): string {
  const done = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.error?.message ?? done.stderr}`);
  return done.stdout;
}

async function inTemporaryDirectory<T>(work: (directory: string) => Promise<T> | T): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'server-lock-'));
  mkdirSync(directory, { recursive: true });
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Deletes members that are `undefined`, as JSON does, so that the value matches its type. */
function withoutUndefined<T extends object>(value: T): T {
  for (const key of Object.keys(value)) if (Reflect.get(value, key) === undefined) Reflect.deleteProperty(value, key);
  return value;
}

process.exitCode = await main(process.argv.slice(2));
