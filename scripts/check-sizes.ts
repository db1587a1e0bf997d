// usage: bun scripts/check-sizes.ts
// Checks the budgets: 600 lines per file, 60 lines per function, 4 parameters. `excused-sizes.json` lists exceptions.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Finding, findByHouseRules } from './support/house-rules.ts';
import { root } from './support/paths.ts';
import { reportProblems } from './support/report.ts';
import { listSources, readSource } from './support/tracked-files.ts';

const maxFileLines = 600;
const maxFunctionLines = 60;
const excusedPath = 'scripts/excused-sizes.json';

/** Path, or `path#first line of the function` → reason for the exception. */
const Excused = z.record(z.string(), z.string().min(1));

/** A `describe` block; its tests are measured, not the block. */
const suite = /\bdescribe\w*(\.\w+)*(\([^)]*\))?\(/;

function fileProblem(path: string, excused: Readonly<Record<string, string>>): string | undefined {
  const lines = readSource(path).split('\n').length - 1;
  if (lines <= maxFileLines || path in excused) return undefined;
  return `${path}: ${lines} lines, the budget is ${maxFileLines}`;
}

function functionProblem(finding: Finding, excused: Readonly<Record<string, string>>): string | undefined {
  const text = readSource(finding.path).split('\n')[finding.firstLine - 1]?.trim() ?? '';
  const location = `${finding.path}:${finding.firstLine}`;
  if (`${finding.path}#${text}` in excused) return undefined;
  if (finding.rule === 'useMaxParams') return `${location}: ${finding.message} Pass an options object`;
  const lines = finding.lastLine - finding.firstLine + 1;
  if (lines <= maxFunctionLines || (finding.path.startsWith('test/') && suite.test(text))) return undefined;
  return `${location}: a function of ${lines} lines, the budget is ${maxFunctionLines}`;
}

/** Returns a problem for each exception whose file no longer exists. */
function staleExcuses(excused: Readonly<Record<string, string>>): string[] {
  return Object.keys(excused)
    .filter((key) => !existsSync(join(root, key.split('#')[0] ?? '')))
    .map((key) => `${excusedPath}: no file for \`${key}\``);
}

async function main(): Promise<never> {
  const files = await listSources('src', 'scripts', 'bench', 'test');
  const excused = Excused.parse(JSON.parse(readSource(excusedPath)));
  const findings = await findByHouseRules(files);
  const measured = findings.filter(({ rule }) => rule === 'useMaxParams' || rule === 'noExcessiveLinesPerFunction');
  const problems = [
    ...files.map((path) => fileProblem(path, excused)),
    ...measured.map((finding) => functionProblem(finding, excused)),
    ...staleExcuses(excused),
  ].filter((problem) => problem !== undefined);
  reportProblems(problems, `${files.length} files within their budgets`);
}

if (import.meta.main) await main();
