import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectState } from '../../src/config/data-directory.ts';
import { type ClientOptions, startClient, type TestClient } from '../../test/support/client.ts';
import { cacheDirectory } from './projects.ts';

/** The `SERENA_HOME` of all runs, or `BENCH_HOME`; language servers are installed in it once. */
export const benchHome = process.env.BENCH_HOME ?? join(cacheDirectory, 'home');

const programName = process.platform === 'win32' ? 'serena.exe' : 'serena';

/**
 * Absolute path of the measured program: `BENCH_BINARY`, or a separate build, which no other build replaces during the
 * run.
 */
export const benchBinary = process.env.BENCH_BINARY ?? join(cacheDirectory, programName);

/** A tool call to measure. */
export interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** True if the answer may have gaps, for example because imported packages are not installed. */
  readonly mayBeIncomplete?: boolean;
  /** True if the answer must come from a syntax tree, because no server runs yet. */
  readonly isFromSyntax?: boolean;
}

export interface Timed {
  readonly ms: number;
  readonly text: string;
  /** The gaps of the answer. */
  readonly incomplete?: string | undefined;
}

/**
 * Starts the product on a project, without the background service unless `env` says otherwise; the caller closes it.
 * Language servers answer, unless `symbolSource` leaves the choice to the product.
 */
export function startOurs(
  directory: string,
  symbolSource: ClientOptions['symbolSource'] = 'server',
  env: Readonly<Record<string, string>> = {},
): Promise<TestClient> {
  const args = ['--project', directory, '--log-level', 'ERROR'];
  const own = { SERENA_HOME: benchHome, SERENA_SERVICE: 'off', ...env };
  return startClient({ binary: benchBinary, args, symbolSource, env: own });
}

/** Measures one call. @throws {Error} if the answer is an error, or incomplete although it must not be. */
export async function ask(client: TestClient, question: Question): Promise<Timed> {
  const { tool, args, mayBeIncomplete, isFromSyntax } = question;
  const startedAt = performance.now();
  const { blocks, isError } = await client.call(tool, { ...args, max_answer_chars: 50_000_000 });
  const ms = performance.now() - startedAt;
  const [text = '', incomplete] = blocks;
  if (isFromSyntax) return { ms, text: fromSyntax(tool, blocks) };
  if (isError) throw new Error(`\`${tool}\` failed: ${text}`);
  if (incomplete !== undefined && !mayBeIncomplete) throw new Error(`\`${tool}\` was not complete: ${incomplete}`);
  return { ms, text, incomplete };
}

/** Returns the text of an answer. @throws {Error} if it does not come from a syntax tree. */
function fromSyntax(tool: string, [text = '', source = '']: readonly string[]): string {
  // A file may have syntax that the grammar does not know.
  if (source.startsWith('Source: syntax tree')) return text;
  throw new Error(`no syntax tree answered \`${tool}\`: ${source || text}`);
}

/** Measures one call in a new process without a symbol cache, from spawn to the answer. */
export async function askCold(directory: string, question: Question): Promise<Timed> {
  rmSync(projectState(benchHome, directory).cache, { recursive: true, force: true });
  return await askNew(directory, question);
}

/** Measures one call in a new process with what earlier ones have stored, from spawn to the answer. */
export async function askNew(
  directory: string,
  question: Question,
  env: Readonly<Record<string, string>> = {},
): Promise<Timed> {
  const startedAt = performance.now();
  const client = await startOurs(directory, question.isFromSyntax ? 'configured' : 'server', env);
  try {
    const answer = await ask(client, question);
    return { ...answer, ms: performance.now() - startedAt };
  } finally {
    await client.close();
  }
}

/** Memory of a process in MB. */
export interface ProcessMemory {
  readonly resident: number;
  /** The part that no other process shares: without pages of the program and of libraries. */
  readonly anonymous: number;
  /** With shared pages divided by the number of processes that share them. */
  readonly proportional: number;
}

/** Returns the memory of a process. @throws {Error} on systems other than Linux. */
export function memoryOf(pid: number): ProcessMemory {
  const path = `/proc/${pid}/smaps_rollup`;
  if (!existsSync(path)) throw new Error('This system does not show the memory of a process');
  const text = readFileSync(path, 'utf8');
  const megabytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { resident: megabytes('Rss'), anonymous: megabytes('Anonymous'), proportional: megabytes('Pss') };
}
