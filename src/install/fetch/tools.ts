import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { ExpectedError, messageOf } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { inOwnGroup, signalGroup } from '../../base/process/group.ts';
import { downloadFailed, prefetchHints, withoutCredentials } from '../failures.ts';
import { cleanEnv } from '../runtime/js-runtime.ts';
import type { DotnetSource, GemSource } from '../source/source.ts';
import type { InstallJob } from './job.ts';
import { isOffline } from './network.ts';

/** A source that another package manager installs and that cannot be verified. */
type ToolSource = GemSource | DotnetSource;

interface Recipe {
  readonly tool: string;
  readonly title: string;
  /** Returns the tool's arguments that install into `directory`. */
  readonly argsFor: (directory: string) => readonly string[];
  readonly manualCommand: string;
  /** Relative to the installation, with `/`. */
  readonly program: string;
}

export function recipeOf(source: ToolSource, platform = process.platform): Recipe {
  const exe = platform === 'win32' ? '.exe' : '';
  const { version } = source;
  if (source.from === 'gem') {
    return {
      tool: 'gem',
      title: `${source.gem} ${version}`,
      argsFor: (directory) => ['install', '--install-dir', directory, '--no-document', '-v', version, source.gem],
      manualCommand: `gem install ${source.gem} -v ${version}`,
      program: `bin/${source.bin}`,
    };
  }
  return {
    tool: 'dotnet',
    title: `${source.tool} ${version}`,
    argsFor: (directory) => ['tool', 'install', '--tool-path', directory, '--version', version, source.tool],
    manualCommand: `dotnet tool install --global ${source.tool} --version ${version}`,
    program: `${source.bin}${exe}`,
  };
}

/** Returns the key of a source for directory names and caches: 12 hexadecimal digits of its hash. */
export function toolKey(source: ToolSource): string {
  return createHash('sha256').update(JSON.stringify(source)).digest('hex').slice(0, 12);
}

/**
 * Installs `source` into `job.staging` with the user's package manager.
 *
 * @throws {ExpectedError} `install.runtime-missing` without the package manager; `install.download-failed` if it fails.
 */
export async function installWithTool(job: InstallJob, source: ToolSource): Promise<void> {
  const { tool, argsFor, manualCommand, title } = recipeOf(source);
  if (isOffline(job.env)) {
    throw downloadFailed(title, job, {
      reason: '`SERENA_OFFLINE` is set',
      hints: [`run \`${manualCommand}\` with network access`],
    });
  }
  const program = findProgram(tool, job.env);
  if (program === undefined) {
    throw new ExpectedError('install.runtime-missing', `cannot install ${title}: there is no \`${tool}\` on \`PATH\``, {
      hints: [
        `install ${tool === 'gem' ? 'Ruby' : 'the .NET SDK'} and put \`${tool}\` on \`PATH\``,
        ...prefetchHints(job),
      ],
    });
  }
  job.report({ message: `Installing ${title} with ${tool}` });
  const ended = await runTool(program, argsFor(job.staging), { cwd: job.scratch, env: job.env, signal: job.signal });
  if (ended.code === 0) return;
  throw downloadFailed(title, job, {
    reason: failureReason(tool, ended),
    hints: [`check that \`${manualCommand}\` works in a terminal`],
  });
}

/** Returns the error for a source that cannot be verified and that the user has not allowed. */
export function unverifiable(id: string, source: ToolSource): ExpectedError {
  const { tool, manualCommand, title } = recipeOf(source);
  return new ExpectedError(
    'install.not-pinned',
    `cannot install ${title}: what \`${tool}\` fetches cannot be verified`,
    {
      hints: [
        `run \`${manualCommand}\` to install it manually`,
        `allow it with \`verify: false\` below \`ls_specific_settings.${id}\` in your \`serena_config.yml\``,
      ],
    },
  );
}

/** The exit code and complete output of a program, without the credentials in URLs. */
export interface ToolResult {
  /** The exit code, the signal that ended it, or the reason that it did not start. */
  readonly code: number | string;
  readonly output: string;
}

interface ToolOptions {
  /** Absolute path of a directory below SERENA_HOME, so that no project's configuration applies. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

// Enough to explain a failure; earlier lines repeat it for every file.
const maxReasonLines = 6;

/**
 * Runs one of the user's programs and returns its result. Kills it and its child processes once the signal aborts.
 *
 * @throws the signal's reason.
 */
export function runTool(program: string, args: readonly string[], options: ToolOptions): Promise<ToolResult> {
  const { cwd, env, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stdio = ['ignore' as const, 'pipe' as const, 'pipe' as const];
    const child = spawn(program, args, { cwd, env: cleanEnv(env), stdio, ...inOwnGroup });
    let output = '';
    const onAbort = () => signalGroup(child, 'SIGKILL');
    signal.addEventListener('abort', onAbort, { once: true });
    const keep = (chunk: Buffer) => {
      output += chunk.toString('utf8');
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', (error) => resolve({ code: messageOf(error), output }));
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', onAbort);
      if (signal.aborted) reject(signal.reason);
      else resolve({ code: code ?? killedBy ?? 'nothing', output: withoutCredentials(output) });
    });
  });
}

/** Returns the reason that `command` failed: how it ended, and the last lines of its output. */
export function failureReason(command: string, { code, output }: ToolResult): string {
  return `\`${command}\` ended with ${code}\n${output.trim().split('\n').slice(-maxReasonLines).join('\n')}`;
}
