import { createHash } from 'node:crypto';
import { ExpectedError } from '../../base/errors.ts';
import { findProgram } from '../../base/process/find-program.ts';
import { downloadFailed, prefetchHints } from '../failures.ts';
import type { DotnetSource, GemSource } from '../source/source.ts';
import type { InstallJob } from './job.ts';
import { isOffline } from './network.ts';
import { lastLines, runTool } from './run-tool.ts';

/** What is installed by another package manager, which nothing here can verify. */
export type ToolSource = GemSource | DotnetSource;

interface Recipe {
  readonly tool: string;
  readonly title: string;
  /** What to give the tool so that it installs into `directory`. */
  readonly argsFor: (directory: string) => readonly string[];
  /** What a person types to have it for themselves. */
  readonly manualCommand: string;
  /** Relative to the installation, with `/`. */
  readonly program: string;
}

/** Returns how a source is installed. */
export function recipeOf(source: ToolSource): Recipe {
  const exe = process.platform === 'win32' ? '.exe' : '';
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

/** Returns 12 hexadecimal digits that stand for what a source says: its key in directory names and caches. */
export function toolKey(source: ToolSource): string {
  return createHash('sha256').update(JSON.stringify(source)).digest('hex').slice(0, 12);
}

/**
 * Has the user's own package manager install `source` into `job.staging`.
 *
 * @throws {ExpectedError} `install.runtime-missing` without the package manager; `install.download-failed` when it fails.
 */
export async function installWithTool(job: InstallJob, source: ToolSource): Promise<void> {
  const { tool, argsFor, manualCommand, title } = recipeOf(source);
  if (isOffline(job.env)) {
    throw downloadFailed(title, job, {
      reason: '`SERENA_OFFLINE` is set',
      hints: [`Run \`${manualCommand}\` where there is a network`],
    });
  }
  const program = findProgram(tool, job.env);
  if (program === undefined) {
    throw new ExpectedError('install.runtime-missing', `Cannot install ${title}: there is no \`${tool}\` on \`PATH\``, {
      hints: [`Install what \`${tool}\` belongs to and put it on \`PATH\``, ...prefetchHints(job)],
    });
  }
  job.report({ message: `Installing ${title} with ${tool}` });
  const { code, output } = await runTool(program, argsFor(job.staging), {
    cwd: job.scratch,
    env: job.env,
    signal: job.signal,
  });
  if (code === 0) return;
  const reason = `\`${tool}\` ended with ${code}\n${lastLines(output)}`;
  throw downloadFailed(title, job, { reason, hints: [`Look whether \`${manualCommand}\` works in a terminal`] });
}

/** Returns the error for a source whose user has not said that it may be installed unverified. */
export function unverifiable(id: string, source: ToolSource): ExpectedError {
  const { tool, manualCommand, title } = recipeOf(source);
  return new ExpectedError(
    'install.not-pinned',
    `Cannot install ${title}: what \`${tool}\` fetches cannot be verified`,
    {
      hints: [
        `Run \`${manualCommand}\``,
        `Allow it with \`verify: false\` below \`ls_specific_settings.${id}\` in your own configuration`,
      ],
    },
  );
}
