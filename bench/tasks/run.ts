import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Link } from '../symbols/edits/links.ts';
import type { EditBench } from '../symbols/edits/rename-task.ts';
import { outcomeOf } from '../symbols/edits/run-edits.ts';
import { Scratch } from '../symbols/edits/scratch.ts';
import { languages } from '../symbols/languages.ts';
import { type BenchLanguage, type BenchPackage, BenchSymbol, type Exercise, Judged } from '../symbols/model.ts';
import { ensurePackage, packageKey, symbenchCache } from '../symbols/packages.ts';
import { oracleKey } from '../symbols/references-task.ts';
import { isRemembered, remembered } from '../symbols/store.ts';
import { judgeOf } from './judge.ts';
import { isFalseDone, type Subject, type TaskJudge } from './judges/judge.ts';
import { type Agent, type Task, TaskResult } from './model.ts';
import { type Facts, factsOf, placeKey } from './truth.ts';

const DeletionSchema = z.object({
  symbol: BenchSymbol,
  firstLine: z.int(),
  lastLine: z.int(),
  problem: z.string(),
  doubt: z.string().optional(),
});

/**
 * Lets each agent do a task in a copy of its package, and judges what it leaves. Stored results are not repeated; with
 * `onlyStored`, agents without one are left out.
 */
export async function runTask(
  task: Task,
  agents: readonly Agent[],
  { onlyStored }: { readonly onlyStored: boolean },
): Promise<TaskResult[]> {
  const { language, pack } = packageOf(task);
  const directory = await ensurePackage(pack);
  const subject = { task, language, pack, directory, facts: rememberedFacts(language, pack, directory) };
  const judge = await judgeOf(subject);
  const results: TaskResult[] = [];
  for (const agent of agents) {
    const version = `${agent.name}@${await agent.version()}`;
    const key = [packageKey(pack), 'task', version, JSON.stringify([task, judge.truth])];
    if (onlyStored && !isRemembered(key, TaskResult)) continue;
    results.push(await remembered(key, TaskResult, () => resultOf(subject, judge, agent)));
  }
  return results;
}

let copies = 0;

async function resultOf(subject: Subject<Task>, judge: TaskJudge, agent: Agent): Promise<TaskResult> {
  const { pack, directory } = subject;
  // Runs of one package may be concurrent, and language servers cache what they know of a path.
  const copy = join(symbenchCache, 'edited', 'tasks', `${packageKey(pack)}-${process.pid}-${copies++}`);
  const scratch = new Scratch(directory, copy);
  try {
    return await resultIn(scratch, subject, { judge, agent });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function resultIn(
  scratch: Scratch,
  subject: Subject<Task>,
  { judge, agent }: { readonly judge: TaskJudge; readonly agent: Agent },
): Promise<TaskResult> {
  const { task, pack } = subject;
  const bench = await benchOf(subject, scratch);
  const work = await agent.work({ task, symbol: judge.symbol, pack, directory: scratch.directory });
  const { name, kind, language } = task;
  const about = { task: name, kind, language, package: pack.name, agent: agent.name, places: judge.places };
  if (work === undefined) {
    return { ...about, verdict: 'cannot', isFalseDone: false, detail: '', calls: 0, charsIn: 0, charsOut: 0, ms: 0 };
  }
  const judged = await judge.judge(bench, work);
  const { calls, charsIn, charsOut, ms } = work;
  return { ...about, ...judged, isFalseDone: isFalseDone(work, judged), calls, charsIn, charsOut, ms };
}

async function benchOf(
  { task, language, pack, directory, facts }: Subject<Task>,
  scratch: Scratch,
): Promise<EditBench> {
  const key = [...oracleKey(pack), `edits-${language.edits.version}`];
  const problems = () => language.edits.problems(pack, scratch.directory);
  const { exercise, ...withoutExercise } = pack;
  const outcome =
    exercise === undefined || exercise.program !== undefined || task.kind === 'affected'
      ? null
      : await remembered([...key, 'outcome of tasks'], z.array(z.string()).nullable(), () =>
          outcomeOrNull(pack, directory),
        );
  return {
    pack: outcome === null ? withoutExercise : { ...pack, ...(exercise && { exercise: patient(exercise) }) },
    oracle: language.edits,
    scratch,
    baseline: await remembered([...key, 'edit problems'], z.array(z.string()), problems),
    links: facts.links,
    outcome: async () => outcome ?? [],
  };
}

/** Returns an exercise that runs again if something fails, because tests that depend on time fail on a busy machine. */
function patient(exercise: Exercise): Exercise {
  const failures = (lines: readonly string[]) => lines.filter((line) => /fail|error|panic/i.test(line)).length;
  return {
    ...exercise,
    async run(pack, directory) {
      const first = await exercise.run(pack, directory);
      if (failures(first) === 0) return first;
      const second = await exercise.run(pack, directory);
      return failures(second) < failures(first) ? second : first;
    },
  };
}

/** Tests that print something else each time do not judge. */
function outcomeOrNull(pack: BenchPackage, directory: string): Promise<string[] | null> {
  return outcomeOf(pack, directory).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    return null;
  });
}

/** Asks the oracles once for all tasks and runs. */
function rememberedFacts(language: BenchLanguage, pack: BenchPackage, directory: string): Facts {
  const facts = factsOf(language, pack, directory);
  const key = [...oracleKey(pack), `edits-${language.edits.version}`];
  const about = (symbol: BenchSymbol) => (language.edits.linksOneSymbol ? placeKey(symbol.at) : '');
  return {
    list: () => remembered([...key, 'all'], z.array(BenchSymbol), async () => [...(await facts.list())]),
    links: (symbol) =>
      remembered([...key, `links ${about(symbol)}`], z.array(Link), async () => [...(await facts.links(symbol))]),
    judge: (symbols) =>
      remembered([...key, `judged ${JSON.stringify(symbols)}`], z.array(Judged), async () => [
        ...(await facts.judge(symbols)),
      ]),
    deletion: (symbol) =>
      remembered([...key, `deletion ${JSON.stringify(symbol)}`], DeletionSchema, () => facts.deletion(symbol)),
  };
}

function packageOf({ name, package: wanted }: Task): { language: BenchLanguage; pack: BenchPackage } {
  for (const language of languages) {
    const pack = language.packages.find((one) => one.name === wanted);
    if (pack !== undefined) return { language, pack };
  }
  throw new Error(`task \`${name}\`: there is no package \`${wanted}\``);
}
