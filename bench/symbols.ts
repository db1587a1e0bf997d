// usage: bun bench/symbols.ts [language…] [--quick | --ratchet] [--count <n>] [--seed <n>] [--only <task>]…
//   [--package <name>]… [--packages <file>] [--contender <name>]… [--write | --publish] [--replace]
// Tasks: references, overview, implementations, diagnostics, traps, rename, delete, "family rename", "family delete",
// signature, times.
// Asks this product and other tools the same questions about real packages, and scores the answers by what compilers
// say. Answers are stored: an interrupted run continues, and only a changed contender or oracle is asked again.
// --contender and --package take only those whose names begin so, or the one contender with this name; --quick takes
// fewer symbols, --count that many of each package; --seed chooses other ones; --packages asks about the packages of a
// file, see `CONTRIBUTING.md`, instead of those of the page; --ratchet asks only this product about one package per
// language and fails if an answer is harmful; --write adds the stored results to docs/symbench.json and renders the page
// from it; --publish does that without asking; --replace lets fewer or older results replace published ones.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { build } from '../scripts/build.ts';
import { root } from '../scripts/support/paths.ts';
import { benchBinary } from './speed/ours.ts';
import { harmfulAnswers } from './symbols/harmful-answers.ts';
import { languages } from './symbols/languages.ts';
import type { BenchLanguage } from './symbols/model.ts';
import { symbenchCache } from './symbols/packages.ts';
import { publish } from './symbols/publishing/publish.ts';
import { BadInput, readPackages } from './symbols/read-packages.ts';
import { allTasks, type Judgement, runPackage, runTraps, type Selection, usualSeed } from './symbols/run-package.ts';

function isSelected({ packages }: BenchLanguage, names: readonly string[]): boolean {
  return names.length === 0 || packages.some(({ language }) => names.includes(language));
}

function isNamed(name: string, beginnings: readonly string[]): boolean {
  return beginnings.length === 0 || beginnings.some((beginning) => name.startsWith(beginning));
}

/** Prints the harmful answers of this product and their number; the program fails if there is one. */
function reportHarm(judged: readonly Judgement[]): void {
  const harmful = judged.flatMap(({ results, edits }) => harmfulAnswers(results, edits));
  const count = judged.reduce((sum, { results, edits }) => sum + results.length + edits.length, 0);
  for (const answer of harmful) console.log(answer);
  console.log(`${count} answers, ${harmful.length} of them harmful`);
  process.exitCode = harmful.length === 0 ? 0 : 1;
}

/** Builds this product, unless `BENCH_BINARY` names a build. */
async function prepare(): Promise<void> {
  if (process.env.BENCH_BINARY === undefined) await build({ outfile: benchBinary });
  process.stderr.write(`Packages and answers are stored in ${symbenchCache}\n`);
}

/** Asks about the packages whose names begin with one of `beginnings`, of the named languages. An empty list selects all. */
async function askAll(
  selection: Selection,
  names: readonly string[],
  beginnings: readonly string[],
): Promise<Judgement[]> {
  await prepare();
  const judged: Judgement[] = [];
  for (const language of languages.filter((one) => isSelected(one, names))) {
    if (beginnings.length === 0) judged.push(await runTraps(language, selection));
    const packages = selection.size === 'ratchet' ? language.packages.slice(-1) : language.packages;
    for (const pack of packages.filter(({ name }) => isNamed(name, beginnings))) {
      judged.push(await runPackage(language, pack, selection));
    }
  }
  return judged;
}

/** Asks about the packages of a file (path), and prints what is harmful. Their results are not for the page. */
async function askOutside(selection: Selection, path: string): Promise<Judgement[]> {
  const selected = await readPackages(path);
  await prepare();
  const judged: Judgement[] = [];
  for (const { language, pack } of selected) judged.push(await runPackage(language, pack, selection));
  return judged;
}

/** @throws {BadInput} if no task has one of the names */
function tasksNamed(names: readonly string[]): readonly string[] {
  const unknown = names.find((name) => !allTasks.includes(name));
  if (unknown !== undefined)
    throw new BadInput(`there is no task \`${unknown}\`; the tasks are ${allTasks.join(', ')}`);
  return names;
}

/** @throws {BadInput} if the text is no whole number from `least` on */
function wholeNumber(option: string, text: string, least: number): number {
  const number = z.coerce.number().int().min(least).safeParse(text);
  if (!number.success) throw new BadInput(`--${option} needs a whole number from ${least} on, not \`${text}\``);
  return number.data;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      ratchet: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      packages: { type: 'string' },
      seed: { type: 'string' },
      contender: { type: 'string', multiple: true, default: [] },
      package: { type: 'string', multiple: true, default: [] },
      count: { type: 'string' },
      write: { type: 'boolean', default: false },
      publish: { type: 'boolean', default: false },
      replace: { type: 'boolean', default: false },
    },
  });
  const size = values.ratchet ? 'ratchet' : values.quick ? 'quick' : 'full';
  const selection: Selection = {
    size,
    count: values.count === undefined ? undefined : wholeNumber('count', values.count, 1),
    seed: values.seed === undefined ? usualSeed : wholeNumber('seed', values.seed, 0),
    tasks: tasksNamed(values.only),
    contenders: values.contender,
  };
  if (values.packages !== undefined) {
    reportHarm(await askOutside(selection, values.packages));
    return;
  }
  const judged = values.publish ? [] : await askAll(selection, positionals, values.package);
  if (values.write || values.publish) {
    await publish({ cache: symbenchCache, docs: join(root, 'docs'), mayReplaceBetter: values.replace });
  }
  if (size === 'ratchet') reportHarm(judged);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    if (!(error instanceof BadInput)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 2;
  });
}
