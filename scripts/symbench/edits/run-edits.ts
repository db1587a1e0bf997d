import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeTextAtomically } from '../../../src/base/files.ts';
import { measuredNow } from '../measured-now.ts';
import { mergeResults } from '../merge-results.ts';
import { type BenchPackage, BenchSymbol, type ListedSymbol, type ReferencesOracle } from '../model.ts';
import { packageKey, symbenchCache } from '../packages.ts';
import { listSymbols } from '../references-task.ts';
import { sampleSymbols } from '../sample.ts';
import { isRemembered, remembered } from '../store.ts';
import { judgeDeletion } from './delete-task.ts';
import { EditResult } from './edit-result.ts';
import type { Deletion, EditAnswer, EditContender, EditOracle, EditRun } from './model.ts';
import { type EditBench, judgeRename } from './rename-task.ts';
import { Scratch } from './scratch.ts';

/** The seed of the references task, so that the symbols are the same. */
const seed = 11;

type Task = EditResult['task'];

/** What is edited in one package, by whom, and who judges it. */
export interface EditPlan {
  readonly pack: BenchPackage;
  /** Absolute path of the sources, which stay unchanged. */
  readonly directory: string;
  /** Lists the symbols to choose from. */
  readonly references: ReferencesOracle;
  readonly oracle: EditOracle;
  readonly contenders: readonly EditContender[];
  readonly tasks: readonly Task[];
  /** Number of symbols. */
  readonly count: number;
}

const Deletions = z.array(
  z.object({
    symbol: BenchSymbol,
    firstLine: z.int(),
    lastLine: z.int(),
    problem: z.string(),
    doubt: z.string().optional(),
  }),
);

/**
 * Lets every contender edit copies of a package, and stores the verdicts. A later run repeats only those of changed
 * contenders.
 */
export async function runEdits(plan: EditPlan): Promise<EditResult[]> {
  const { pack, directory } = plan;
  const oracleKey = [packageKey(pack), 'edit-oracle', oracleVersion(plan)];
  const sample = sampleSymbols(await listSymbols(plan.references, pack, directory), plan.count, seed);
  const deletions = plan.tasks.includes('delete') ? await judgeAll(plan, oracleKey, sample) : [];
  const results: EditResult[] = [];
  for (const contender of plan.contenders) {
    const scratch = new Scratch(directory, join(symbenchCache, 'edited', plan.tasks.join('-'), packageKey(pack)));
    const questions: Question[] = [];
    if (plan.tasks.includes('rename')) {
      questions.push(...sample.map(({ symbol }) => ({ task: 'rename' as const, symbol, truth: undefined })));
    }
    questions.push(...deletions.map((truth) => ({ task: 'delete' as const, symbol: truth.symbol, truth })));
    results.push(...(await editAll({ plan, contender, scratch, questions, oracleKey })));
  }
  store(pack, results);
  return results;
}

function judgeAll(plan: EditPlan, oracleKey: readonly string[], sample: readonly ListedSymbol[]): Promise<Deletion[]> {
  const symbols = sample.map(({ symbol }) => symbol);
  return remembered([...oracleKey, `deletions ${JSON.stringify(symbols)}`], Deletions, () =>
    plan.oracle.deletions(plan.pack, plan.directory, symbols),
  );
}

interface Question {
  readonly task: Task;
  readonly symbol: BenchSymbol;
  readonly truth: Deletion | undefined;
}

interface Round {
  readonly plan: EditPlan;
  readonly contender: EditContender;
  readonly scratch: Scratch;
  readonly questions: readonly Question[];
  readonly oracleKey: readonly string[];
}

async function editAll({ plan, contender, scratch, questions, oracleKey }: Round): Promise<EditResult[]> {
  const { pack, oracle } = plan;
  const version = `${contender.name}@${await contender.version()}-${oracleVersion(plan)}`;
  const keyOf = ({ task, symbol }: Question) => [packageKey(pack), task, version, questionName(symbol)];
  const isKnown = questions.every((question) => isRemembered(keyOf(question), EditResult));
  let run = isKnown ? undefined : await contender.start(pack, scratch.directory);
  const baseline = await remembered([...oracleKey, 'baseline'], z.array(z.string()), () =>
    oracle.problems(pack, scratch.directory),
  );
  try {
    const results: EditResult[] = [];
    for (const question of questions) {
      results.push(
        await remembered(keyOf(question), EditResult, async () => {
          run ??= await contender.start(pack, scratch.directory);
          const restored = scratch.restorations;
          const judged = await judge({ pack, oracle, scratch, baseline }, run, question);
          if (scratch.restorations > restored && !contender.seesForeignChanges) {
            await run.stop();
            run = undefined;
          }
          process.stderr.write(
            `${pack.name} ${question.task} ${questionName(question.symbol)}: ${judged.verdict.verdict}\n`,
          );
          return toResult(pack, contender, question, judged);
        }),
      );
    }
    return results;
  } finally {
    await run?.stop();
  }
}

interface JudgedEdit {
  readonly verdict: Pick<EditResult, 'verdict' | 'detail' | 'label' | 'annotation'>;
  readonly answer: EditAnswer;
}

function judge(bench: EditBench, run: EditRun, { symbol, truth }: Question): Promise<JudgedEdit> {
  return truth === undefined ? judgeRename(bench, run, symbol) : judgeDeletion(bench, run, truth);
}

function toResult(
  pack: BenchPackage,
  contender: EditContender,
  { task, symbol }: Question,
  { verdict: { verdict, detail, label, annotation }, answer }: JudgedEdit,
): EditResult {
  return {
    language: pack.language,
    package: pack.name,
    task,
    question: questionName(symbol),
    kind: symbol.kind,
    contender: contender.name,
    verdict,
    detail,
    ...(label === undefined ? {} : { label }),
    ...(annotation === undefined ? {} : { annotation }),
    ms: answer.cost?.ms ?? 0,
    tokensIn: answer.cost?.tokensIn ?? 0,
    tokensOut: answer.cost?.tokensOut ?? 0,
    calls: answer.cost?.calls ?? 0,
    measured: measuredNow(),
  };
}

/** Stores the results of one package by task, where a later run for another task or language leaves them. */
function store(pack: BenchPackage, results: readonly EditResult[]): void {
  const directory = join(symbenchCache, 'edit-results');
  mkdirSync(directory, { recursive: true });
  for (const [task, ofTask] of Map.groupBy(results, (result) => result.task)) {
    const path = join(directory, `${pack.language}-${task}-${packageKey(pack)}.json`);
    const earlier = existsSync(path) ? z.array(EditResult).safeParse(JSON.parse(readFileSync(path, 'utf8'))).data : [];
    writeTextAtomically(path, `${JSON.stringify(mergeResults(earlier, ofTask), undefined, 1)}\n`);
  }
}

function questionName({ at, namePath }: BenchSymbol): string {
  return `${at.file}:${at.line + 1} ${namePath}`;
}

/** What an oracle said about another setup is not used. */
function oracleVersion({ pack, oracle }: EditPlan): string {
  return createHash('sha256')
    .update(JSON.stringify([oracle.version, pack.configurations, pack.targets]))
    .digest('hex')
    .slice(0, 12);
}
