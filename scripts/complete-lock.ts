// usage: bun scripts/complete-lock.ts [--check]
// Completes package-lock.json after `npm install`. npm omits platform packages that the current registry does not offer,
// and `npm ci` then rejects the file on every platform. Also removes download URLs.
import { join } from 'node:path';
import { z } from 'zod';
import { writeTextAtomically } from '../src/base/files.ts';
import { root } from './support/paths.ts';
import { reportProblems } from './support/report.ts';
import { readSource } from './support/tracked-files.ts';

const file = 'package-lock.json';
const operatingSystems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'sunos', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

// Records preserve the order of keys; object schemas do not.
const Entry = z.record(z.string(), z.unknown());
type Entry = z.infer<typeof Entry>;
const Lock = z.record(z.string(), z.unknown());
const Packages = z.record(z.string(), Entry);
const Versions = z.record(z.string(), z.string()).default({});

/** Returns the entry for a package missing from the registry, with version, and its platform derived from the name. */
function entryOf(name: string, version: string, parent: Entry): Entry {
  const words = name.split('/').at(-1)?.split('-') ?? [];
  const libc = words.filter((word) => word === 'musl' || word === 'glibc');
  return {
    version,
    cpu: words.filter((word) => processors.includes(word)),
    ...(parent.dev === true ? { dev: true } : {}),
    ...(libc.length > 0 ? { libc } : {}),
    optional: true,
    os: words.filter((word) => operatingSystems.includes(word)),
  };
}

function complete(packages: Readonly<Record<string, Entry>>): { packages: Record<string, Entry>; problems: string[] } {
  const completed: Record<string, Entry> = {};
  const problems: string[] = [];
  for (const [path, { resolved, ...entry }] of Object.entries(packages)) {
    if (resolved !== undefined) problems.push(`${file}: \`${path}\` has a download URL`);
    completed[path] = entry;
  }
  for (const [path, entry] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(Versions.parse(entry.optionalDependencies))) {
      if (`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages) continue;
      problems.push(`${file}: lacks \`${name}\`, which \`${path}\` may need on another platform`);
      completed[`node_modules/${name}`] = entryOf(name, version, entry);
    }
  }
  const sorted = Object.entries(completed).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { packages: Object.fromEntries(sorted), problems };
}

function main(): never {
  const lock = Lock.parse(JSON.parse(readSource(file)));
  const { packages, problems } = complete(Packages.parse(lock.packages));
  if (process.argv.includes('--check')) {
    reportProblems(problems, `${file} is complete`, 'Run `node scripts/bootstrap.mjs scripts/complete-lock.ts`');
  }
  if (problems.length > 0) {
    writeTextAtomically(join(root, file), `${JSON.stringify({ ...lock, packages }, undefined, 2)}\n`);
  }
  return reportProblems([], problems.length === 0 ? `${file} was complete` : `Completed ${file}`);
}

if (import.meta.main) main();
