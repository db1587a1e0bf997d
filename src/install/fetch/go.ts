import { join } from 'node:path';
import { hashMismatch } from '../failures.ts';
import type { GoLock, LockedModule } from '../lock/lock-schema.ts';
import { buildFailed, requireGo } from './go-artifact.ts';
import type { InstallJob } from './job.ts';
import { isOffline } from './network.ts';
import { runTool } from './run-tool.ts';

/**
 * Builds the program of `lock` with the user's Go, as `program` in `job.staging`, and verifies that it was built from
 * the pinned modules only. Go's own settings (`GOPROXY`, `GOFLAGS`, …) apply.
 *
 * @throws {ExpectedError} `install.runtime-missing` without Go; `install.download-failed` if the build fails;
 *   `install.hash-mismatch` if it was built from other modules.
 */
export async function installFromGo(job: InstallJob, lock: GoLock, program: string): Promise<void> {
  const go = requireGo(`build ${job.title}`, job);
  const tool = {
    cwd: job.staging,
    env: { ...job.env, ...offlineSettings(job.env), GOBIN: job.staging },
    signal: job.signal,
  };

  job.report({ message: `Building ${job.title} with Go` });
  const built = await runTool(go, ['install', `${lock.module}@${lock.version}`], tool);
  if (built.code !== 0) throw buildFailed(`${lock.module}@${lock.version}`, built, job);

  const listed = await runTool(go, ['version', '-m', join(job.staging, program)], tool);
  verify(lock, parseModules(listed.output));
}

/** Returns the modules in the output of `go version -m`: the program's own and those it depends on. */
export function parseModules(output: string): LockedModule[] {
  const lines = output.matchAll(/^\t(?:mod|dep)\t(\S+)\t(\S+)\t(\S+)$/gm);
  return [...lines].map(([, name = '', version = '', sum = '']) => ({ name, version, sum }));
}

/**
 * Rejects modules and sums that the lock does not list. Pinned modules may be absent, since the lock covers all
 * platforms.
 */
function verify(lock: GoLock, built: readonly LockedModule[]): void {
  const describe = ({ name, version, sum }: LockedModule) => `${name} ${version} ${sum}`;
  const pinned = new Map(lock.modules.map((module) => [module.name, describe(module)]));
  const what = `${lock.module}@${lock.version}`;
  for (const module of built) {
    // A version that the user chose pins less: only the program's module, or nothing.
    if (lock.pins === 'nothing' || (lock.pins === 'program' && module.name !== lock.module)) continue;
    const expected = pinned.get(module.name) ?? 'no such module';
    if (describe(module) !== expected) throw hashMismatch(what, expected, describe(module));
  }
  if (built.some(({ name }) => name === lock.module)) return;
  throw hashMismatch(what, pinned.get(lock.module) ?? lock.module, 'a program without build information');
}

/** Offline, Go can still build from its module cache. The checksum database is off because `verify` checks the sums. */
function offlineSettings(env: InstallJob['env']): Readonly<Record<string, string>> {
  if (!isOffline(env)) return {};
  return { GOPROXY: 'off', GOSUMDB: 'off', GOTOOLCHAIN: 'local', GOVCS: '*:off', GOFLAGS: '-mod=mod' };
}
