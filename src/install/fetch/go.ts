import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { downloadFailed, hashMismatch, prefetchHints } from '../failures.ts';
import type { GoLock, LockedModule } from '../lock/server-lock.ts';
import type { Artifact, Origin } from '../source/artifact.ts';
import type { FetchContext, InstallJob } from './job.ts';
import { isOffline } from './network.ts';
import { failureReason, runTool, type ToolResult } from './tools.ts';

/**
 * Flags of every build: the program contains no path of the machine, and Go compiles nothing again where an installation and
 * a bundle are made on the same one.
 */
const buildFlags = ['-trimpath', '-buildvcs=false', '-ldflags=-s -w'];

/** Of every build, unless the user has another setting: the program needs no C compiler and no library of the system. */
const withoutC = { CGO_ENABLED: '0' };

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
    env: { ...withoutC, ...job.env, ...offlineSettings(job.env), GOBIN: job.staging },
    signal: job.signal,
  };

  job.report({ message: `Building ${job.title} with Go` });
  const built = await runTool(go, ['install', ...buildFlags, `${lock.module}@${lock.version}`], tool);
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

type GoProgram = Extract<Origin, { kind: 'go' }>;

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Builds a Go program for any platform with the user's Go, reproducibly, in `directory` (absolute, empty). Go downloads
 * modules and toolchain according to its own settings (`GOPROXY`, …) and keeps them in the user's module cache. Returns
 * the absolute path of the program.
 *
 * @throws {ExpectedError} `install.runtime-missing` without Go; `install.download-failed` if the build fails.
 */
export async function buildGoArtifact(
  artifact: Pick<Artifact, 'title'>,
  program: GoProgram,
  directory: string,
  context: FetchContext,
): Promise<string> {
  const { module, version } = program;
  const { env, signal } = context;
  const go = requireGo(`build ${artifact.title}`, context);
  const cache = await runTool(go, ['env', 'GOMODCACHE'], { cwd: directory, env, signal });
  const fixed = reproducible(directory, cache.output.trim(), program);
  context.report({ message: `Building ${artifact.title} with Go` });
  const args = ['install', ...buildFlags, `${module}@${version}`];
  const built = await runTool(go, args, { cwd: directory, env: { ...env, ...fixed }, signal });
  if (built.code !== 0) throw buildFailed(artifact.title, built, context);
  return builtProgram(join(directory, 'bin'));
}

/**
 * Returns the absolute path of the user's Go; `task` is a verb phrase. @throws {ExpectedError}
 * `install.runtime-missing`.
 */
function requireGo(task: string, context: FetchContext): string {
  const go = findProgram('go', context.env);
  if (go !== undefined) return go;
  const own = context.id === undefined ? [] : [`put your own installation of \`${context.id}\` on \`PATH\``];
  throw new ExpectedError('install.runtime-missing', `cannot ${task}: there is no \`go\` on \`PATH\``, {
    hints: [
      "install Go from your system's packages or from the Go website, and put its `bin` directory on `PATH`",
      ...own,
      ...prefetchHints(context),
    ],
  });
}

function buildFailed(what: string, built: ToolResult, context: FetchContext): ExpectedError {
  return downloadFailed(what, context, {
    reason: failureReason('go install', built),
    hints: ['check `GOPROXY`, `GOFLAGS` and the version of Go with `go env`'],
  });
}

/** Returns the environment variables that fix every Go setting that changes the output. */
function reproducible(
  directory: string,
  moduleCache: string,
  { toolchain, target }: Pick<GoProgram, 'toolchain' | 'target'>,
): Readonly<Record<string, string>> {
  const [os = '', cpu = ''] = target.split('-');
  return {
    ...withoutC,
    GO111MODULE: 'on',
    GO386: '',
    GOAMD64: 'v1',
    GOARCH: architectures[cpu] ?? cpu,
    GOARM64: 'v8.0',
    GOBIN: '',
    GOEXPERIMENT: '',
    GOFIPS140: 'off',
    GOFLAGS: '',
    GOMODCACHE: moduleCache,
    GOOS: os === 'win32' ? 'windows' : os,
    GOPATH: directory,
    GOTOOLCHAIN: toolchain,
    GOWORK: 'off',
  };
}

/** Returns the absolute path of the built program. Go puts programs for other platforms into a subdirectory. */
function builtProgram(directory: string): string {
  const [found] = readdirSync(directory, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  if (found === undefined) throw new Error(`Go has built nothing in \`${directory}\``);
  return join(found.parentPath, found.name);
}
