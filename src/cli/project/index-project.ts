import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { counted } from '../../base/counted.ts';
import { namedFiles } from '../../base/gap.ts';
import { dataDirectoryPath } from '../../config/data-directory.ts';
import { serversOf } from '../../session/assign-servers.ts';
import { type IndexResult, indexProject } from '../../session/index-project.ts';
import { rememberProject } from '../../session/remember-project.ts';
import { ownCaller } from '../caller.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { interruptedExitCode } from '../interruption.ts';
import { projectArgument } from '../project-argument.ts';
import { exitCodes } from '../report.ts';
import { serversNamed } from '../servers/named.ts';
import { makeProject } from './make-project.ts';
import { reportProgress } from './progress.ts';

export interface IndexFlags {
  readonly logLevel?: string;
  /** Seconds that a language server may be silent. */
  readonly timeout: number;
  readonly json?: boolean;
}

/**
 * Caches the symbols of every source file of a project; creates the project first if the directory is not one. Returns
 * the exit code: failed if a file failed or the user interrupted.
 *
 * @throws {ExpectedError} `project.*`, `search.too-slow`, `usage.invalid` for an unknown language server.
 */
export function indexCommand(
  given: string | undefined,
  flags: IndexFlags & { readonly name?: string; readonly language?: readonly string[] },
  environment: Environment,
): Promise<number> {
  return withCommandContext(environment, { prefix: 'indexing', logLevel: flags.logLevel }, async (context) => {
    const ids = serversNamed(flags.language ?? [], serversOf(context.user)).map(({ id }) => id);
    const root = await projectArgument(given, environment.cwd, context.user);
    const isProject = existsSync(
      join(dataDirectoryPath(root, context.user.project_serena_folder_location), 'project.yml'),
    );
    if (!isProject) await makeProject(root, { ...flags, ids }, context);
    else await rememberRoot(root, context);
    return await indexAndReport(root, flags, context);
  });
}

async function rememberRoot(root: string, { home, env, user, projects }: CommandContext): Promise<void> {
  const open = await projects.open(root, { user });
  await rememberProject(open, { home, env, isKnown: user.projects.includes(root), mayWalk: true });
  await projects.release(open);
}

/** Indexes the project at absolute `root`, reports progress and result, and returns the exit code. */
export async function indexAndReport(root: string, flags: IndexFlags, context: CommandContext): Promise<number> {
  const startedAtMs = performance.now();
  const open = await context.projects.open(root, { user: context.user });
  const progress = reportProgress();
  const call = { ...context.call, progress: progress.status };
  let result: IndexResult;
  try {
    const silenceMs = flags.timeout * 1000;
    result = await indexProject(open, { call, silenceMs, onProgress: progress.step, onWords: progress.words });
  } finally {
    progress.stop();
  }
  const seconds = Number(((performance.now() - startedAtMs) / 1000).toFixed(1));
  if (flags.json) ownCaller.print(`${JSON.stringify(asJson(root, seconds, result), undefined, 2)}\n`);
  else printSummary(result, { seconds, directory: open.project.state.cache });
  if (result.isInterrupted) return interruptedExitCode() ?? exitCodes.failed;
  return result.failedCount > 0 ? exitCodes.failed : exitCodes.ok;
}

function asJson(root: string, seconds: number, result: IndexResult) {
  return {
    project: root,
    files: result.fileCount,
    indexed: result.doneCount,
    failed: result.failures,
    uncovered: result.uncovered,
    interrupted: result.isInterrupted,
    seconds,
  };
}

function printSummary(result: IndexResult, { seconds, directory }: { seconds: number; directory: string }): void {
  const { doneCount, fileCount, failures, uncovered, isInterrupted } = result;
  ownCaller.print(
    `Indexed ${doneCount} of ${counted(fileCount, 'file')} in ${seconds} s; their symbols are cached in ${directory}\n`,
  );
  if (uncovered.length > 0) {
    const extensions = [...new Set(uncovered.map((file) => extname(file)))].sort();
    ownCaller.print(`No language server covers ${namedFiles(uncovered)} (${extensions.join(', ')})\n`);
  }
  if (isInterrupted) ownCaller.report('Interrupted: run the same command again to continue\n');
  if (failures.length > 0) ownCaller.report(`Not indexed:\n${inLines(failures)}`);
}

/** Files that failed for the same reason share a line. */
function inLines(failures: IndexResult['failures']): string {
  const byReason = Map.groupBy(failures, ({ reason }) => reason);
  return [...byReason]
    .map(([reason, files]) => `- ${files.map(({ file }) => `\`${file}\``).join(', ')}: ${reason}\n`)
    .join('');
}
