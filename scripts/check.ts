// usage: bun scripts/check.ts
// Runs all checks of the sources and reports each by name.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageProgram, root } from './support/paths.ts';
import { type ProcessResult, renderMs, run } from './support/run.ts';

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Command that fixes the problems of this check, if there is one. */
  readonly fix?: string;
}

export interface CheckResult {
  readonly name: string;
  readonly hasPassed: boolean;
  readonly tookMs: number;
}

const bun = process.execPath;
const biome = packageProgram('biome');
const tsc = packageProgram('tsc');

/** Scripts that write committed files; with `--check` each reports whether its file is current. */
const writers = [
  { name: 'embedded resources', script: 'scripts/embed-resources.ts', fix: 'npm run format' },
  { name: 'tables in the docs', script: 'scripts/generate-docs.ts', fix: 'npm run format' },
  { name: 'man page', script: 'scripts/write-man-page.ts', fix: 'npm run format' },
  { name: 'package lock', script: 'scripts/complete-lock.ts', fix: 'npm run format' },
  {
    name: 'server lock',
    script: 'scripts/update-server-lock.ts',
    fix: 'node scripts/bootstrap.mjs scripts/update-server-lock.ts',
  },
];

function listChecks(): Check[] {
  const generated = writers.filter(({ script }) => existsSync(join(root, script)));
  return [
    { name: 'format and lint', command: biome, args: ['ci', '--colors=off', '.'], fix: 'npm run format' },
    // Several threads check the same types more than once, and the checks beside these use the other processors.
    { name: 'types of src', command: tsc, args: ['-p', '.', '--singleThreaded'] },
    { name: 'types of the rest', command: tsc, args: ['-p', 'test', '--singleThreaded'] },
    { name: 'layers', command: bun, args: ['scripts/check-layers.ts'] },
    { name: 'sizes', command: bun, args: ['scripts/check-sizes.ts'] },
    { name: 'style', command: bun, args: ['scripts/check-style.ts'] },
    {
      name: 'languages',
      command: bun,
      args: ['scripts/check-languages.ts'],
      fix: 'node scripts/bootstrap.mjs scripts/check-languages.ts --update',
    },
    { name: 'references', command: bun, args: ['scripts/check-references.ts'] },
    { name: 'commits', command: bun, args: ['scripts/check-commits.ts'] },
    ...generated.map(({ name, script, fix }) => ({ name, command: bun, args: [script, '--check'], fix })),
  ];
}

function report(check: Check, ran: ProcessResult): CheckResult {
  const hasPassed = ran.exitCode === 0;
  console.log(`${hasPassed ? 'ok    ' : 'FAILED'} ${check.name.padEnd(22)} ${renderMs(ran.tookMs).padStart(8)}`);
  if (!hasPassed) {
    const output = `${ran.stdout}${ran.stderr}`.trimEnd();
    if (output !== '') console.log(output.replace(/^/gm, '    '));
    if (check.fix !== undefined) console.log(`    fix: ${check.fix}`);
  }
  return { name: check.name, hasPassed, tookMs: ran.tookMs };
}

/** Runs all checks, a few at a time, and prints each result immediately; returns the results in the order of the list. */
export async function runChecks(): Promise<CheckResult[]> {
  const checks = listChecks();
  const results = new Map<Check, CheckResult>();
  const waiting = [...checks];
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      results.set(check, report(check, await run(check.command, check.args)));
    }
  };
  await Promise.all(Array.from({ length: 3 }, work));
  return checks.flatMap((check) => results.get(check) ?? []);
}

async function main(): Promise<void> {
  const startedAt = performance.now();
  const results = await runChecks();
  const failed = results.filter(({ hasPassed }) => !hasPassed).map(({ name }) => name);
  const took = renderMs(performance.now() - startedAt);
  console.log(`\n${results.length - failed.length} checks passed, ${failed.length} failed in ${took}`);
  if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

if (import.meta.main) await main();
