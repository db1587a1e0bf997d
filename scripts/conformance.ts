// usage: bun scripts/conformance.ts
// Runs the official suites against the built program and prints one line per scenario: the server scenarios of
// @modelcontextprotocol/conformance, in the version for each protocol, and the command line of @modelcontextprotocol/inspector over each transport.
// test/mcp/conformance-exceptions.json lists scenarios that do not apply, with the reason and the expected failure. A
// listed scenario that fails differently, passes, or does not exist is a failure.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runInspector } from './conformance/inspector.ts';
import type { Result } from './conformance/result.ts';
import { runSuites } from './conformance/suite.ts';
import { renderMs } from './support/run.ts';
import { readSource } from './support/tracked-files.ts';

const exceptionsPath = 'test/mcp/conformance-exceptions.json';

/** Suite → scenario → why it does not apply, and part of its failure; `null` if it passes without proving anything. */
const Exceptions = z.record(
  z.string(),
  z.record(z.string(), z.strictObject({ reason: z.string().min(1), failure: z.string().min(1).nullable() })),
);

type Exceptions = z.infer<typeof Exceptions>;

interface Verdict {
  readonly outcome: 'ok' | 'exempt' | 'FAILED';
  readonly note: string;
}

function judge({ suite, scenario, failure }: Result, exceptions: Exceptions): Verdict {
  const exception = exceptions[suite]?.[scenario];
  if (!exception) return failure === undefined ? { outcome: 'ok', note: '' } : { outcome: 'FAILED', note: failure };
  const { reason, failure: expected } = exception;
  if (failure === undefined && expected !== null)
    return { outcome: 'FAILED', note: 'passes: remove it from the exceptions' };
  const isExpected = expected === null ? failure === undefined : failure?.includes(expected);
  return isExpected
    ? { outcome: 'exempt', note: reason }
    : { outcome: 'FAILED', note: `unexpected failure: ${failure}` };
}

/** Returns exceptions for scenarios that do not exist. */
function strayExceptions(results: readonly Result[], exceptions: Exceptions): string[] {
  const known = new Set(results.map(({ suite, scenario }) => `${suite} ${scenario}`));
  const named = Object.entries(exceptions).flatMap(([suite, scenarios]) =>
    Object.keys(scenarios).map((scenario) => `${suite} ${scenario}`),
  );
  return named.filter((name) => !known.has(name));
}

async function runAll(): Promise<Result[]> {
  const directory = mkdtempSync(join(tmpdir(), 'serena-conformance-'));
  const workspace = { directory, project: join(directory, 'project'), home: join(directory, 'home') };
  try {
    for (const path of [workspace.project, workspace.home]) mkdirSync(path);
    writeFileSync(join(workspace.project, 'here.txt'), '');
    return [...(await runSuites(workspace)), ...(await runInspector(workspace))];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const startedAt = performance.now();
  const exceptions = Exceptions.parse(JSON.parse(readSource(exceptionsPath)));
  const results = await runAll();
  const counts = { ok: 0, exempt: 0, FAILED: 0 };
  for (const result of results) {
    const { outcome, note } = judge(result, exceptions);
    counts[outcome]++;
    const name = `${result.suite.padEnd(12)}${result.transport.padEnd(16)} ${result.scenario}`;
    console.log(`${outcome.padEnd(7)} ${name}${note === '' ? '' : `: ${note}`}`);
  }
  for (const name of strayExceptions(results, exceptions)) {
    counts.FAILED++;
    console.log(`FAILED  ${exceptionsPath} names ${name}, which does not exist`);
  }
  const took = renderMs(performance.now() - startedAt);
  console.log(`\n${counts.ok} passed, ${counts.exempt} do not apply, ${counts.FAILED} failed in ${took}`);
  process.exitCode = counts.FAILED === 0 ? 0 : 1;
}

if (import.meta.main) await main();
