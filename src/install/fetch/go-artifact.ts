import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { downloadFailed, prefetchHints } from '../failures.ts';
import type { Artifact, Origin } from '../source/artifact.ts';
import type { FetchContext } from './job.ts';
import { failureReason, runTool, type ToolResult } from './run-tool.ts';

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
  const args = ['install', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', `${module}@${version}`];
  const built = await runTool(go, args, { cwd: directory, env: { ...env, ...fixed }, signal });
  if (built.code !== 0) throw buildFailed(artifact.title, built, context);
  return builtProgram(join(directory, 'bin'));
}

/**
 * Returns the absolute path of the user's Go; `task` is a verb phrase. @throws {ExpectedError}
 * `install.runtime-missing`.
 */
export function requireGo(task: string, context: FetchContext): string {
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

/** Returns the error for a build that failed. */
export function buildFailed(what: string, built: ToolResult, context: FetchContext): ExpectedError {
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
    CGO_ENABLED: '0',
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
