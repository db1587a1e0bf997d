import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectState } from '../../src/config/project-state.ts';
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
 * Starts the product on a project; the caller closes it. Language servers answer, unless `symbolSource` leaves the choice
 * to the product.
 */
export function startOurs(
  directory: string,
  symbolSource: ClientOptions['symbolSource'] = 'server',
): Promise<TestClient> {
  const args = ['--project', directory, '--log-level', 'ERROR'];
  return startClient({ binary: benchBinary, args, symbolSource, env: { SERENA_HOME: benchHome } });
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
export async function askNew(directory: string, question: Question): Promise<Timed> {
  const startedAt = performance.now();
  const client = await startOurs(directory, question.isFromSyntax ? 'configured' : 'server');
  try {
    const answer = await ask(client, question);
    return { ...answer, ms: performance.now() - startedAt };
  } finally {
    await client.close();
  }
}

/** Returns the resident memory of one process in megabytes, including shared memory. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kilobytes === undefined) throw new Error('This system does not show the memory of a process');
  return Number(kilobytes) / 1024;
}
