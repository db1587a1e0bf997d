import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fetchTo } from '../../src/install/fetch/fetch.ts';
import type { LockedWheel, PypiLock } from '../../src/install/lock/server-lock.ts';
import type { PypiSource } from '../../src/install/source/source.ts';
import { findTarget, runsOn, type Target, type TargetName, targetNames } from '../../src/install/target.ts';
import { Tree } from '../../src/install/unpack/tree.ts';
import { wheelPath } from '../../src/install/unpack/wheel-paths.ts';
import { unpackZip } from '../../src/install/unpack/zip.ts';

type Run = (command: string, args: readonly string[], cwd: string) => string;

interface ResolvedWheel {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly integrity: string;
}

// Platform tags of wheels by target; the oldest glibc versions listed are old enough for any wheel.
const glibcs = ['2_5', '2_12', '2_17', '2_24', '2_26', '2_27', '2_28', '2_31', '2_34'];
const platforms: Readonly<Record<TargetName, readonly string[]>> = {
  'linux-x64': [...glibcs.map((version) => `manylinux_${version}_x86_64`), 'manylinux2014_x86_64', 'manylinux1_x86_64'],
  'linux-arm64': [...glibcs.map((version) => `manylinux_${version}_aarch64`), 'manylinux2014_aarch64'],
  'linux-x64-musl': ['musllinux_1_1_x86_64', 'musllinux_1_2_x86_64'],
  'linux-arm64-musl': ['musllinux_1_1_aarch64', 'musllinux_1_2_aarch64'],
  'darwin-x64': ['macosx_13_0_x86_64'],
  'darwin-arm64': ['macosx_13_0_arm64'],
  'win32-x64': ['win_amd64'],
  'win32-arm64': ['win_arm64'],
};

/**
 * Resolves Python packages with pip for each platform that has wheels of all of them, and unpacks each wheel once with the
 * installer's own code. Only wheels for any version of Python are accepted.
 */
export async function lockWheels({ packages, isComplete }: PypiSource, directory: string, run: Run): Promise<PypiLock> {
  const requirements = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
  if (isComplete) requirements.unshift('--no-deps');
  const found = new Map<string, { wheel: ResolvedWheel; targets: TargetName[] }>();
  for (const target of targetNames) {
    for (const wheel of closureFor(target, { requirements, directory, run })) {
      const known = found.get(wheel.file) ?? { wheel, targets: [] };
      known.targets.push(target);
      found.set(wheel.file, known);
    }
  }
  if (found.size === 0) throw new Error(`pip finds no wheels of ${requirements.join(' ')}`);
  const wheels: LockedWheel[] = [];
  for (const { wheel, targets } of found.values()) {
    wheels.push({ ...wheel, ...(await measure(wheel, directory)), ...restrictionsOf(targets, wheel.file) });
  }
  const [[, version] = ['', '']] = Object.entries(packages);
  return { source: 'pypi', version, wheels: wheels.sort((a, b) => (a.file < b.file ? -1 : 1)) };
}

function closureFor(
  target: TargetName,
  { requirements, directory, run }: { requirements: readonly string[]; directory: string; run: Run },
): ResolvedWheel[] {
  const quiet = ['install', '--quiet', '--dry-run', '--ignore-installed', '--report', '-', '--target', directory];
  const machine = platforms[target].map((name) => `--platform=${name}`);
  const kind = ['--only-binary=:all:', '--implementation=py', '--python-version=3.12', '--abi=none', ...machine];
  let report: string;
  try {
    report = run('python3', ['-m', 'pip', ...quiet, ...kind, ...requirements], directory);
  } catch (error) {
    console.log(`${requirements.join(' ')} for ${target}: ${String(error).trim().split('\n').at(-1)}`);
    return [];
  }
  const schema = z.object({
    install: z.array(
      z.object({
        download_info: z.object({
          url: z.string(),
          archive_info: z.object({ hashes: z.object({ sha256: z.string() }) }),
        }),
        metadata: z.object({ name: z.string(), version: z.string() }),
      }),
    ),
  });
  return schema.parse(JSON.parse(report)).install.map(({ download_info: { url, archive_info }, metadata }) => ({
    // Normalized as in package indexes.
    name: metadata.name.toLowerCase().replace(/[-_.]+/g, '-'),
    version: metadata.version,
    file: decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''),
    integrity: `sha256-${Buffer.from(archive_info.hashes.sha256, 'hex').toString('base64')}`,
  }));
}

async function measure(wheel: ResolvedWheel, directory: string): Promise<{ sizeBytes: number; unpackedBytes: number }> {
  const path = join(directory, wheel.file);
  const { signal } = new AbortController();
  const context = { home: directory, env: process.env, signal, report: () => undefined };
  const origin = { kind: 'pypi', name: wheel.name, version: wheel.version, file: wheel.file } as const;
  const { integrity, file: title } = wheel;
  await fetchTo({ title, integrity, sizeBytes: undefined, origin }, { path }, context);
  const tree = new Tree({ what: title, directory: `${path}.d`, strip: 0, moveTo: wheelPath });
  const sizeBytes = statSync(path).size;
  await unpackZip(path, tree, { what: title, signal, sizeBytes });
  return { sizeBytes, unpackedBytes: tree.writtenBytes };
}

/** Expresses exactly these platforms as npm's `os`, `cpu` and `libc`. @throws {Error} if that is impossible. */
function restrictionsOf(names: readonly TargetName[], file: string): Pick<LockedWheel, 'os' | 'cpu' | 'libc'> {
  const all = targetNames.flatMap((name) => findTarget(name) ?? []);
  const own = names.flatMap((name) => findTarget(name) ?? []);
  const only = (part: keyof Target) => {
    const values = [...new Set(own.flatMap((target) => target[part] ?? []))].sort();
    const isAll = all.every((target) => target[part] === undefined || values.includes(target[part]));
    return isAll || values.length === 0 ? {} : { [part]: values };
  };
  const restrictions = { ...only('os'), ...only('cpu'), ...only('libc') };
  const chosen = all.filter((target) => runsOn(target, restrictions)).length;
  if (chosen !== own.length)
    throw new Error(`cannot express the platforms of \`${file}\` as os, cpu and libc: ${names.join(', ')}`);
  return restrictions;
}
