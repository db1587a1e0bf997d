import { createReadStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { downloadFailed, prefetchHints } from '../failures.ts';
import type { Artifact, Origin } from '../source/artifact.ts';
import type { FetchContext } from './job.ts';
import { lastLines, runTool } from './run-tool.ts';
import type { VerifiedFile } from './verified-file.ts';

type GoProgram = Extract<Origin, { kind: 'go' }>;

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Builds a Go program for any kind of machine with the user's Go, to the same bytes everywhere, into `sink.file`. Modules
 * and the toolchain come through Go's own settings (`GOPROXY`, …) and stay in the user's module cache. `sink.scratch` is
 * the absolute path of a directory that is not there yet.
 *
 * @throws {ExpectedError} `install.runtime-missing` without Go; `install.download-failed` when it does not build; what the
 *   file throws, which verifies it.
 */
export async function buildGoArtifact(
  artifact: Pick<Artifact, 'title'>,
  program: GoProgram,
  sink: { readonly file: Pick<VerifiedFile, 'write'>; readonly scratch: string },
  context: FetchContext,
): Promise<void> {
  const { module, version, toolchain, target } = program;
  const { env, signal } = context;
  const go = requireGo(`build ${artifact.title}`, context);
  const { scratch } = sink;
  mkdirSync(scratch, { recursive: true });
  try {
    const cache = await runTool(go, ['env', 'GOMODCACHE'], { cwd: scratch, env, signal });
    const tool = {
      cwd: scratch,
      env: { ...env, ...reproducible(scratch, cache.output.trim(), { toolchain, target }) },
      signal,
    };
    context.report({ message: `Building ${artifact.title} with Go` });
    const args = ['install', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', `${module}@${version}`];
    const built = await runTool(go, args, tool);
    if (built.code !== 0) throw buildFailed(artifact.title, built, context);
    for await (const chunk of createReadStream(builtProgram(join(scratch, 'bin')), { highWaterMark: 2 ** 20 })) {
      sink.file.write(chunk);
    }
  } finally {
    // Go makes what it downloads read-only, but nothing of that lies here.
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns the absolute path of the user's Go. @throws {ExpectedError} `install.runtime-missing`; `task` is a verb's phrase. */
export function requireGo(task: string, context: FetchContext): string {
  const go = findProgram('go', context.env);
  if (go !== undefined) return go;
  const own = context.id === undefined ? [] : [`Put a server for \`${context.id}\` that you have on \`PATH\``];
  throw new ExpectedError('install.runtime-missing', `Cannot ${task}: there is no \`go\` on \`PATH\``, {
    hints: [
      "Install Go and put its `bin` directory on `PATH`: your system's packages have it, and so has the Go project's site",
      ...own,
      ...prefetchHints(context),
    ],
  });
}

/** Returns the error for a build that failed. */
export function buildFailed(
  what: string,
  { code, output }: { code: number | string; output: string },
  context: FetchContext,
): ExpectedError {
  return downloadFailed(what, context, {
    reason: `\`go install\` ended with ${code}\n${lastLines(output)}`,
    hints: ['Check `GOPROXY`, `GOFLAGS` and the version of Go with `go env`'],
  });
}

/** Whatever a person may have set that changes the bytes. */
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

/** Go puts what it builds for another kind of machine one directory deeper. */
function builtProgram(directory: string): string {
  const [found] = readdirSync(directory, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  if (found === undefined) throw new Error(`Go has built nothing in \`${directory}\``);
  return join(found.parentPath, found.name);
}
