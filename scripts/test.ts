// usage: bun scripts/test.ts [--full] [part of a file name…]
// Runs the checks, builds the program and runs the tests; ends with a line `N passed, N failed`, in which each check,
// the build and each test count one. With a filter it leaves the checks out and runs the files whose name matches.
// `--full` does what a release needs: it repeats what chance may decide more often, such as kills during an edit, and asks
// more servers, clients and packages about the same (`test/support/rounds.ts`).
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { mapConcurrently } from '../src/base/concurrent.ts';
import { build } from './build.ts';
import { runChecks } from './check.ts';
import { parseJunit, type TestCase } from './support/junit.ts';
import { root } from './support/paths.ts';
import { pathOfRealPython } from './support/real-python.ts';
import { renderMs, run } from './support/run.ts';
import { minutes, slowness } from './support/time-limits.ts';
import { listTrackedFiles, readSource } from './support/tracked-files.ts';

interface Tally {
  passed: number;
  failed: number;
}

const testsTimeoutMs = minutes * 60_000;
// Finds tests that hang. A test that downloads or builds a language server sets its own, longer limit.
const testTimeoutMs = Math.round(120_000 * slowness);

/** Part of a test's file and name → why it must run in CI. */
const MustNotSkip = z.record(z.string(), z.string());

function heading(text: string): void {
  console.log(`\n── ${text} ${'─'.repeat(Math.max(0, 96 - text.length))}\n`);
}

async function check(tally: Tally): Promise<void> {
  heading('checks');
  for (const { hasPassed } of await runChecks()) hasPassed ? tally.passed++ : tally.failed++;
}

async function buildProgram(tally: Tally): Promise<void> {
  heading('build');
  const startedAt = performance.now();
  try {
    console.log(`Built ${await build()} in ${renderMs(performance.now() - startedAt)}`);
    tally.passed++;
  } catch (error) {
    console.log(`FAILED ${error instanceof Error ? error.message : String(error)}`);
    tally.failed++;
  }
}

async function listTests(filters: readonly string[]): Promise<string[]> {
  const files = (await listTrackedFiles('test')).filter((path) => /\.test\.ts$/.test(path));
  return filters.length === 0 ? files : files.filter((path) => filters.some((filter) => path.includes(filter)));
}

interface Results {
  readonly cases: TestCase[];
  /** True if no runner failed. */
  readonly isComplete: boolean;
}

/** Files that one process runs, one after the other, under the name of the file or of their directory. */
interface Batch {
  readonly name: string;
  readonly files: readonly string[];
}

interface BatchResults extends Results {
  readonly name: string;
  readonly tookMs: number;
}

const durationsPath = 'test/durations.json';
/** What takes less is not recorded: its order makes no difference. */
const shortestSeconds = 5;

/** Name of a batch → seconds that it took in the recorded run. */
const Durations = z.record(z.string(), z.number());

/** Matches tests that use sessions of `test/support/shared-session.ts`, which those of one process share. */
const sharingSessions = /\/support\/(shared-session|language-tests\/[\w-]+)\.ts'/;

/** Returns a batch for each directory whose files share sessions, and one for each other file. */
function batchesOf(files: readonly string[]): Batch[] {
  const isSharing = (file: string) => sharingSessions.test(readSource(file));
  const byName = Map.groupBy(files, (file) => (isSharing(file) ? `${dirname(file)}/` : file));
  return [...byName].map(([name, together]) => ({ name, files: together }));
}

/** Returns the batches in the order to start them: the longest first, so that no processor idles at the end. */
function longestFirst(batches: readonly Batch[]): Batch[] {
  const durations = Durations.parse(JSON.parse(readSource(durationsPath)));
  return batches.toSorted((x, y) => (durations[y.name] ?? 0) - (durations[x.name] ?? 0));
}

/** Replaces the recorded durations if `RECORD_DURATIONS` is set; only the results of a whole run make sense here. */
function recordDurations(results: readonly BatchResults[]): void {
  if (!process.env.RECORD_DURATIONS) return;
  const seconds = results
    .map(({ name, tookMs }) => [name, Math.round(tookMs / 1000)] as const)
    .filter(([, duration]) => duration >= shortestSeconds)
    .sort(([x], [y]) => (x < y ? -1 : 1));
  writeFileSync(join(root, durationsPath), `${JSON.stringify(Object.fromEntries(seconds), undefined, 2)}\n`);
}

/**
 * Returns how many batches run at once: more than there are cores, because most tests wait for a server or for a time to
 * pass, but few enough that the tests that limit a duration pass.
 */
function jobs(): number {
  return Math.min(2 * availableParallelism(), 4);
}

/** Matches files that use the same fixed ports, which clients search for IDEs: only one of them runs at a time. */
const sharingPorts = /^test\/tools\/jetbrains\//;

/** Returns the batches with their numbers in lists that may run at the same time. */
function independentLists(files: readonly string[]): (readonly [number, Batch])[][] {
  const numbered = [...longestFirst(batchesOf(files)).entries()];
  const together = numbered.filter(([, { name }]) => sharingPorts.test(name));
  const alone = numbered.filter(([, { name }]) => !sharingPorts.test(name)).map((one) => [one]);
  return together.length === 0 ? alone : [together, ...alone];
}

/** In processes of a few seconds, Bun's optimizing compilers take more time than they save. */
const quickStarts = { BUN_JSC_useDFGJIT: '0' };

/** Runs each batch in its own process. */
async function runTests(files: readonly string[], directory: string): Promise<Results> {
  heading(`tests: ${files.length} files`);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort());
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(testsTimeoutMs)]);
  const lists = await mapConcurrently(independentLists(files), jobs(), async (list) => {
    const ran: BatchResults[] = [];
    for (const [index, batch] of list) {
      // Not named after a file: some tests look for words in answers, and answers contain paths.
      const own = join(directory, String(index));
      mkdirSync(own);
      ran.push(await runBatch(batch, { home: join(directory, 'home'), own, signal }));
      removeDirectory(own);
    }
    return ran;
  });
  const results = lists.flat();
  recordDurations(results);
  if (signal.aborted) {
    console.log(
      `FAILED the tests were ended, after ${renderMs(testsTimeoutMs)} at the latest; TEST_TIMEOUT_MIN=90 is more`,
    );
  }
  return {
    cases: results.flatMap(({ cases }) => cases),
    isComplete: results.every(({ isComplete }) => isComplete),
  };
}

async function runBatch(
  { name, files }: Batch,
  at: { home: string; own: string; signal: AbortSignal },
): Promise<BatchResults> {
  if (at.signal.aborted) return { name, cases: [], isComplete: false, tookMs: 0 };
  const report = join(at.own, 'report.xml');
  const options = [`--timeout=${testTimeoutMs}`, '--reporter=junit', `--reporter-outfile=${report}`];
  const args = ['test', ...options, ...files.map((file) => `./${file}`)];
  // Also TMPDIR: language servers that a test starts directly leave files in the system's temporary directory.
  const env = {
    SERENA_TEST_HOME: at.home,
    SERENA_TEST_TMP: join(at.own, 'work'),
    TMPDIR: at.own,
    SERENA_SERVICE: 'off',
    ...(process.env.TEST_FULL === 'true' ? {} : quickStarts),
  };
  const ran = await run(process.execPath, args, { env, signal: at.signal });
  console.log(`${ran.stdout}${ran.stderr}(${name}: ${renderMs(ran.tookMs)})\n`);
  return { name, cases: readReport(report), isComplete: ran.exitCode === 0, tookMs: ran.tookMs };
}

function readReport(path: string): TestCase[] {
  try {
    return parseJunit(readFileSync(path, 'utf8'));
  } catch {
    console.log('FAILED the runner wrote no report');
    return [];
  }
}

/** Prints skipped tests by reason, which `testUnless` in `test/support/skip.ts` adds to their names. */
function reportSkipped(cases: readonly TestCase[]): void {
  const skipped = cases.filter(({ outcome }) => outcome === 'skipped');
  if (skipped.length === 0) return;
  heading(`skipped: ${skipped.length}`);
  const byReason = Map.groupBy(skipped, ({ name }) => /\[skipped: (.*?)\]/.exec(name)?.[1] ?? 'no reason given');
  for (const [reason, tests] of byReason) {
    console.log(`${reason}:`);
    for (const { name } of tests) console.log(`    ${name.replace(/ \[skipped: .*?\]/, '')}`);
  }
}

/** Repeats the names of failed tests at the end, since the output of a whole run is long. */
function reportFailed(cases: readonly TestCase[]): void {
  const failed = cases.filter(({ outcome }) => outcome === 'failed');
  if (failed.length === 0) return;
  heading(`failed: ${failed.length}`);
  for (const { file, name } of failed) console.log(`${file}: ${name}`);
}

/** Returns the tests that must run with `CI=true` but did not. */
function missingInCi(cases: readonly TestCase[], isWhole: boolean): string[] {
  if (process.env.CI !== 'true') return [];
  const requiredTests = MustNotSkip.parse(JSON.parse(readSource('test/must-not-skip.json')));
  return Object.entries(requiredTests).flatMap(([part, why]) => {
    const about = cases.filter(({ file, name }) => `${file} ${name}`.includes(part));
    const skipped = about
      .filter(({ outcome }) => outcome === 'skipped')
      .map(({ name }) => `${name}: must not skip: ${why}`);
    const isAbsent = isWhole && !about.some(({ outcome }) => outcome !== 'skipped');
    return isAbsent ? [...skipped, `\`${part}\`: none of its tests ran: ${why}`] : skipped;
  });
}

/** Returns files without any test in the report: a file that cannot be loaded, or a runner that crashed. */
function missingInReport(files: readonly string[], cases: readonly TestCase[], isComplete: boolean): string[] {
  const present = new Set(cases.map(({ file }) => file));
  const absent = files.filter((path) => !present.has(path)).map((path) => `${path}: none of its tests ran`);
  const isExplained = isComplete || absent.length > 0 || cases.some(({ outcome }) => outcome === 'failed');
  return isExplained ? absent : ['the runner failed although no test did'];
}

/** Removes a directory even if it contains Go's module cache, which is read-only, including its directories. */
function removeDirectory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
      if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755);
    }
    rmSync(directory, { recursive: true, force: true });
  }
}

async function test(filters: readonly string[], tally: Tally): Promise<void> {
  if (filters.length === 0) await check(tally);
  await buildProgram(tally);
  const files = await listTests(filters);
  if (files.length === 0) throw new Error(`Found no test file that matches ${filters.join(', ')}`);
  const directory = mkdtempSync(join(tmpdir(), 'serena-tests-'));
  // Some tests run the program as another user.
  chmodSync(directory, 0o755);
  try {
    const { cases, isComplete } = await runTests(files, directory);
    tally.passed += cases.filter(({ outcome }) => outcome === 'passed').length;
    tally.failed += cases.filter(({ outcome }) => outcome === 'failed').length;
    reportSkipped(cases);
    reportFailed(cases);
    const missing = [...missingInReport(files, cases, isComplete), ...missingInCi(cases, filters.length === 0)];
    tally.failed += missing.length;
    if (missing.length > 0) heading('did not run');
    for (const line of missing) console.log(`FAILED ${line}`);
  } finally {
    removeDirectory(directory);
  }
}

async function main(): Promise<void> {
  const tally: Tally = { passed: 0, failed: 0 };
  try {
    if (!(minutes > 0)) throw new Error('TEST_TIMEOUT_MIN must be a positive number of minutes');
    const args = process.argv.slice(2);
    if (args.includes('--full')) process.env.TEST_FULL = 'true';
    const filters = args.filter((arg) => arg !== '--full');
    process.env.PATH = pathOfRealPython();
    await test(filters, tally);
  } catch (error) {
    console.log(`FAILED ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    tally.failed++;
  }
  console.log(`\n${tally.passed} passed, ${tally.failed} failed`);
  process.exitCode = tally.failed === 0 ? 0 : 1;
}

if (import.meta.main) await main();
