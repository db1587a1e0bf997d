import { existsSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import cliProgress from 'cli-progress';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import { namedFiles } from '../../base/gap.ts';
import { dataDirectoryPath } from '../../config/data-directory.ts';
import { hasProjectFile } from '../../config/edit-user-config.ts';
import { detectServers } from '../../servers/assignment/source-files.ts';
import { serversOf } from '../../session/assign-servers.ts';
import { type IndexProgress, type IndexResult, indexFile, indexProject } from '../../session/index-project.ts';
import { createProject as createFiles, rememberProject } from '../../session/known-projects.ts';
import { interruptedExitCode, ownCaller } from '../caller.ts';
import { type CommandContext, withCommandContext } from '../command-context.ts';
import type { Environment } from '../environment.ts';
import { printJson } from '../output.ts';
import { makeBar } from '../progress.ts';
import { exitCodes } from '../report.ts';
import { serversNamed } from '../servers/choice.ts';
import { projectArgument } from '../user.ts';

export interface CreateFlags extends IndexFlags {
  readonly name?: string;
  readonly language?: readonly string[];
  readonly index?: boolean;
}

/**
 * Creates a project: writes its `project.yml` and adds it to the known projects. Only adds a project that has the file.
 * Returns the exit code.
 *
 * @throws {ExpectedError} `file.exists` for settings of a project that has the file, `project.not-found`, `usage.invalid`
 *   for an unknown language server.
 */
export function createProject(path: string | undefined, flags: CreateFlags, environment: Environment): Promise<number> {
  return withCommandContext(environment, { prefix: 'project-create', logLevel: flags.logLevel }, async (context) => {
    const ids = serversNamed(flags.language ?? [], serversOf(context.user)).map(({ id }) => id);
    const root = resolve(environment.cwd, path ?? '.');
    await makeProject(root, { ...flags, ids }, context);
    return flags.index ? await indexAndReport(root, flags, context) : exitCodes.ok;
  });
}

interface FirstSettings {
  readonly name?: string | undefined;
  readonly ids: readonly string[];
}

/** Writes the file of a project unless there is one, remembers the project and prints a summary. `root` is absolute. */
async function makeProject(
  root: string,
  { name, ids, json }: FirstSettings & { readonly json?: boolean | undefined },
  { home, env, user, projects, call }: CommandContext,
): Promise<void> {
  // Throws for a missing directory before anything is written.
  const probe = await projects.open(root, { user });
  const { dataDirectory, config } = probe.project;
  const isNew = !hasProjectFile(dataDirectory);
  if (!isNew && (name !== undefined || ids.length > 0)) throw hasSettings(config.path, root);
  const options = { home, env, user };
  if (isNew) await createFiles(probe, { ...options, name: name ?? basename(root), servers: ids });
  else await rememberProject(probe, options);
  await projects.release(probe);
  const open = await projects.open(root, { user });
  const shares = detectServers(open.sources, await open.project.scanner.extensionCounts(call.signal));
  const found = shares.map(({ server, fileCount }) => `${server.spec.id} (${counted(fileCount, 'file')})`);
  // With `--json`, stdout has nothing but JSON.
  const output = json ? process.stderr : process.stdout;
  output.write(
    [
      `${isNew ? 'Created the project' : 'The project exists:'} \`${open.project.name}\`: ${config.path}`,
      found.length > 0
        ? `Language servers: ${found.join(', ')}`
        : 'No language server covers any file: symbol tools will find nothing',
      '',
    ].join('\n'),
  );
  await projects.release(open);
}

function hasSettings(path: string, root: string): ExpectedError {
  return new ExpectedError('file.exists', `the project already has settings: \`${path}\``, {
    hints: [`run \`serena config set project_name <name> --project ${root}\`, or edit that file`],
  });
}

export interface IndexFlags {
  readonly logLevel?: string;
  /** Seconds that a language server may be silent. */
  readonly timeout: number;
  readonly json?: boolean;
}

/**
 * Caches the symbols of every source file of a project; creates the project first if `flags` have settings for it. Returns
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
    const directory = dataDirectoryPath(root, context.user.project_serena_folder_location);
    const isMade = (flags.name === undefined && ids.length === 0) || hasProjectFile(directory);
    if (isMade) await rememberRoot(root, context);
    else await makeProject(root, { ...flags, ids }, context);
    return await indexAndReport(root, flags, context);
  });
}

async function rememberRoot(root: string, { home, env, user, projects }: CommandContext): Promise<void> {
  const open = await projects.open(root, { user });
  await rememberProject(open, { home, env, user });
  await projects.release(open);
}

/** Indexes the project at absolute `root`, reports progress and result, and returns the exit code. */
async function indexAndReport(root: string, flags: IndexFlags, context: CommandContext): Promise<number> {
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
  if (flags.json) printJson(asJson(root, seconds, result));
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
export function inLines(failures: IndexResult['failures']): string {
  const byReason = Map.groupBy(failures, ({ reason }) => reason);
  return [...byReason]
    .map(([reason, files]) => `- ${files.map(({ file }) => `\`${file}\``).join(', ')}: ${reason}\n`)
    .join('');
}

/**
 * Caches the symbols of one file and prints their number, with `verbose` also the symbols. `file` is relative to the
 * working directory if it exists there, else to the project.
 *
 * @throws {ExpectedError} `project.*`, `file.*`, `server.*`, `install.*`.
 */
export async function indexFileCommand(
  file: string,
  given: string | undefined,
  options: { flags: { readonly verbose?: boolean; readonly json?: boolean }; environment: Environment },
): Promise<void> {
  const { flags, environment } = options;
  await withCommandContext(environment, { prefix: 'indexing' }, async ({ user, projects, call }) => {
    const open = await projects.open(await projectArgument(given, environment.cwd, user), { user });
    const fromHere = resolve(environment.cwd, file);
    const indexed = await indexFile(open, existsSync(fromHere) ? fromHere : file, call);
    if (flags.json) {
      printJson(indexed);
      return;
    }
    const { symbols, serverId } = indexed;
    // 1-based, as editors count.
    const lines = symbols.map(({ namePath, kind, line }) => `${namePath}  ${kind}  line ${line + 1}\n`);
    if (flags.verbose) ownCaller.print(lines.join(''));
    const directory = open.project.state.cache;
    ownCaller.print(
      `${counted(symbols.length, 'symbol')} of \`${indexed.file}\` from ${serverId}, cached in ${directory}\n`,
    );
  });
}

/** Reports progress on stderr until it is stopped. */
interface ProgressReport {
  step(step: IndexProgress): void;
  /** Shows how many files are in the index of words, which is extended at the same time. */
  words(progress: { readonly doneCount: number; readonly fileCount: number }): void;
  /** Shows the reason for a wait. */
  status(message: string): void;
  stop(): void;
}

/** Returns a report that draws a bar on a terminal, or else writes lines. */
export function reportProgress(): ProgressReport {
  return process.stderr.isTTY ? barReport() : lineReport();
}

function barReport(): ProgressReport {
  const pace = new Pace();
  const bar = makeBar(
    (options, params, payload) => {
      // Without symbols to request, the bar is that of the words.
      if (params.total === 0) return `${wordsBar(payload.words, options)}${payload.message}`;
      const complete = cliProgress.Format.BarFormat(params.progress, options);
      const { failed, pace, message, words } = payload;
      const failures = failed > 0 ? `, ${failed} failed` : '';
      return `${complete} ${params.value}/${params.total}${failures}${pace}${wordsShare(words)} ${message}`;
    },
    { failed: 0, pace: '', message: '', words: noWords },
  );
  return {
    step: (step) => {
      const { doneCount, failedCount, fileCount } = step;
      const payload = { failed: failedCount, pace: pace.describe(step), message: '' };
      bar.show({ done: doneCount + failedCount, total: fileCount, payload });
    },
    words: (words) => bar.show({ payload: { words } }),
    status: (message) => bar.show({ payload: { message } }),
    stop: () => bar.stop(),
  };
}

const noWords = { doneCount: 0, fileCount: 0 };

function wordsBar(words: typeof noWords, options: cliProgress.Options): string {
  if (words.fileCount === 0) return '';
  const complete = cliProgress.Format.BarFormat(words.doneCount / words.fileCount, options);
  return `${complete} words of ${words.doneCount}/${words.fileCount} `;
}

function wordsShare({ doneCount, fileCount }: typeof noWords): string {
  return doneCount === fileCount ? '' : `, words ${Math.floor((100 * doneCount) / fileCount)} %`;
}

/** Lines for a log: one for each tenth, at most one a second, and one every two seconds without progress. */
const minIntervalMs = 1_000;
const maxIntervalMs = 2_000;

function lineReport(): ProgressReport {
  const pace = new Pace();
  let shownTenths = 0;
  let shownAtMs = performance.now();
  let latest = '';
  const writeLine = (line: string) => {
    shownAtMs = performance.now();
    latest = line;
    ownCaller.report(`${line}\n`);
  };
  // A language server can be silent for long while it reads the project.
  const timer = setInterval(() => {
    if (latest !== '' && performance.now() - shownAtMs >= maxIntervalMs) writeLine(latest);
  }, minIntervalMs);
  return {
    step: (step) => {
      const count = step.doneCount + step.failedCount;
      const tenths = Math.floor((10 * count) / step.fileCount);
      const isDone = count === step.fileCount;
      const speed = pace.describe(step);
      if (!isDone && performance.now() - shownAtMs < (tenths === shownTenths ? maxIntervalMs : minIntervalMs)) return;
      shownTenths = tenths;
      const failed = step.failedCount > 0 ? `, ${step.failedCount} failed` : '';
      const percent = Math.floor((100 * count) / step.fileCount);
      writeLine(`${count} of ${counted(step.fileCount, 'file')} (${percent} %)${failed}${speed}`);
    },
    words: ({ doneCount, fileCount }) => {
      if (performance.now() - shownAtMs >= maxIntervalMs)
        writeLine(`words of ${doneCount} of ${counted(fileCount, 'file')}`);
    },
    status: (message) => {
      latest = message;
      if (performance.now() - shownAtMs >= maxIntervalMs) writeLine(message);
    },
    stop: () => clearInterval(timer),
  };
}

/** The first files wait for the language server to start and read the project, so their speed is not representative. */
const minimum = { files: 10, share: 0.02, ms: 2_000 };

/** Speed of indexing, measured after the first files. */
class Pace {
  #first: { readonly count: number; readonly atMs: number } | undefined;

  /** Returns the speed and the time left, or nothing before they can be estimated. */
  describe({ doneCount, failedCount, fileCount }: IndexProgress): string {
    const count = doneCount + failedCount;
    const nowMs = performance.now();
    if (count === 0) return '';
    this.#first ??= { count, atMs: nowMs };
    const files = count - this.#first.count;
    const ms = nowMs - this.#first.atMs;
    if (files < Math.max(minimum.files, minimum.share * fileCount) || ms < minimum.ms) return '';
    const rate = files / (ms / 1000);
    const left = count === fileCount ? '' : `, ${renderSeconds((fileCount - count) / rate)} left`;
    return `, ${Number(rate.toPrecision(2))} files/s${left}`;
  }
}

/** `75.2` → `1 min 15 s`. */
function renderSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
