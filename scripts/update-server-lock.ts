// Usage: bun scripts/update-server-lock.ts [--check] [server-id...]
//
// Writes resources/server-lock.json, and is its only writer. Resolves the versions in src/servers/catalog/specs to the exact
// packages and modules that an installation consists of, fetches each once and unpacks it by the rules of the installer.
// Needs a network, npm on a current Node (npm passes over versions that ask for a newer one, without a word), Go, and pip
// for Python packages. Go programs are built for every kind of machine, which takes a minute or two each.
// Files of releases are not fetched: their hashes stand in scripts/support/archive-hashes.json.
// With ids only those servers are resolved again. `--check` needs none of that: it verifies that the file belongs to the specs.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pacote from 'pacote';
import { z } from 'zod';
import { loadNpmOptions } from '../src/install/fetch/npm-config.ts';
import {
  type LockEntry,
  type LockedModule,
  type LockedPackage,
  parseServerLock,
} from '../src/install/lock/lock-schema.ts';
import type { GoSource, NpmSource, PinnedSource } from '../src/install/source/source.ts';
import { findTarget, runsOn, targetNames } from '../src/install/target.ts';
import { unpackTarball } from '../src/install/unpack/npm-tarball.ts';
import { servers } from '../src/servers/catalog/servers.ts';
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
    const kept = args.length === 0 || args.includes(pin.id) ? undefined : parseServerLock(readLock()).servers[pin.id];
    locked[pin.id] = kept ?? (await inTemporaryDirectory((directory) => resolve(pin, directory)));
    console.log(`${pin.id}: ${locked[pin.id]?.version}${kept === undefined ? '' : ' (kept)'}`);
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

/** Their install scripts print thanks, or build what has a fallback; each other one must be looked at. */
const looked = ['fsevents', 'core-js', 'protobufjs'];

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
    // The packages asked for lie at the top.
    if (dest === '' || (isBundled === true && !Object.hasOwn(packages, dest.slice('node_modules/'.length)))) continue;
    const { version = '', integrity = '', os, cpu, libc, optional } = found;
    const name = found.name ?? dest.slice(dest.lastIndexOf('node_modules/') + 'node_modules/'.length);
    // Packages are published for systems that we are not made for.
    if (!targets.some((target) => runsOn(target, { os, cpu, libc }))) continue;
    if (found.hasInstallScript && isBundled !== true && !looked.includes(name))
      throw new Error(`${name}@${version} wants to run an install script`);
    const sizes = await measure(
      { spec: `${name}@${version}`, integrity, directory: join(directory, 'unpacked', dest) },
      options.flat,
    );
    locked.push(withoutUndefined({ name, version, integrity, dest, ...sizes, os, cpu, libc, optional }));
  }
  return { source: 'npm', version: versionOf(packages), packages: locked.sort((a, b) => (a.dest < b.dest ? -1 : 1)) };
}

/** npm leaves out, without a word, what a registry lacks: a program for another kind of machine would be missing there. */
function requireOptional(
  resolved: Readonly<Record<string, { optionalDependencies?: Readonly<Record<string, string>> | undefined }>>,
): void {
  const names = Object.keys(resolved);
  for (const [dest, { optionalDependencies = {} }] of Object.entries(resolved)) {
    for (const name of Object.keys(optionalDependencies)) {
      const isThere = names.some(
        (other) => other === `node_modules/${name}` || other.endsWith(`/node_modules/${name}`),
      );
      if (!isThere) throw new Error(`${dest} may need ${name}, which the registry does not have`);
    }
  }
}

/** Fetches a package and unpacks it by the installer's own rules, so that nothing is pinned that it would refuse. */
async function measure(
  { spec, integrity, directory }: { spec: string; integrity: string; directory: string },
  flat: Readonly<Record<string, unknown>>,
): Promise<{ sizeBytes: number; unpackedBytes: number }> {
  const tarball = await pacote.tarball(spec, { ...flat, integrity });
  const { sizeBytes } = await unpackTarball(tarball, { what: spec, directory, signal: new AbortController().signal });
  return { sizeBytes: tarball.length, unpackedBytes: sizeBytes };
}

/** The first package's version, followed by those of the others: it changes with each of them. */
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
  // A program may be built from other modules on another system.
  for (const system of ['darwin', 'linux', 'windows']) {
    const template = '{{with .Module}}{{.Path}} {{.Version}} {{.Sum}}{{end}}';
    const listed = run('go', ['list', '-deps', '-f', template, module], directory, { GOOS: system });
    for (const line of listed.split('\n')) {
      const [name = '', of = '', sum = ''] = line.split(' ');
      if (name !== '') modules.set(name, { name, version: of, sum });
    }
  }
  const sorted = [...modules.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  // Which Go makes these very bytes is part of what is pinned: the one at hand, or a newer one that the module asks for.
  const toolchain = run('go', ['env', 'GOVERSION'], directory).trim();
  return withBinaries({ source: 'go', version, module, modules: sorted }, toolchain, directory);
}

function check(): number {
  const problems: string[] = [];
  const text = readFileSync(lockFile, 'utf8');
  const locked = parseServerLock(JSON.parse(text)).servers;
  if (text !== serialize(locked)) problems.push('is not in the form that the script writes');
  if (/:\/\//.test(text)) problems.push('holds an address');
  const known = pins.map(({ id }) => id);
  for (const id of Object.keys(locked))
    if (!known.includes(id)) problems.push(`has \`${id}\`, which is not in src/servers/catalog/servers.ts`);
  for (const pin of pins)
    if (!matches(pin, locked[pin.id])) problems.push(`does not have \`${pin.id}\` as in its spec`);
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
  const wanted = Object.entries(pin.packages);
  if (entry.source === 'pypi') return wanted.every(([name, version]) => has(entry.wheels, name, version));
  if (entry.source !== 'npm' || entry.version !== versionOf(pin.packages)) return false;
  return wanted.every(([name, version]) => has(entry.packages, name, version));
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

/** `undefined` members vanish in JSON anyway; without them the types say so too. */
function withoutUndefined<T extends object>(value: T): T {
  for (const key of Object.keys(value)) if (Reflect.get(value, key) === undefined) Reflect.deleteProperty(value, key);
  return value;
}

process.exitCode = await main(process.argv.slice(2));
