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
import { familyRoles, rememberedLinks, withLinks } from './behavior.ts';
import { judgeDeletion } from './delete-task.ts';
import { EditResult } from './edit-result.ts';
import { withExercise } from './exercised.ts';
import type { Deletion, EditAnswer, EditContender, EditOracle, EditRun } from './model.ts';
import { type EditBench, judgeRename } from './rename-task.ts';
import { Scratch } from './scratch.ts';
import { judgeSignature, type SignatureQuestion, signatureQuestions } from './signature-task.ts';
import { judgeUnused, makePrivate } from './unused-task.ts';

/** Changes with the judgement: stored verdicts of another version are not used. */
const judgement = 4;

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
  /** Number of symbols, and twice the number of members of families. */
  readonly count: number;
  /** That of the references task, so that the symbols are the same. */
  readonly seed: number;
  /** True if the page may have the results. */
  readonly isPublished: boolean;
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
  const { pack, tasks, oracle } = plan;
  const directory = withExercise(pack, plan.directory);
  const subject = {
    plan,
    directory,
    oracleKey: [packageKey(pack), 'edit-oracle', oracleVersion(plan)],
    links: rememberedLinks(oracle, (about) => oracle.links(pack, directory, about)),
  };
  const listed = await listSymbols(plan.references, pack, plan.directory);
  const results: EditResult[] = [];
  for (const [prefix, sample] of [
    ['', () => sampleSymbols(listed, plan.count, plan.seed).map(({ symbol }) => symbol)],
    ['family ', () => sampleFamilies(subject, listed)],
  ] as const) {
    const [rename, remove] = [`${prefix}rename`, `${prefix}delete`] as const;
    if (!tasks.includes(rename) && !tasks.includes(remove)) continue;
    const symbols = await sample();
    const deletions = tasks.includes(remove) ? await judgeAll(subject, symbols) : [];
    const renames = tasks.includes(rename) ? symbols : [];
    const questions: Question[] = [
      ...renames.map((symbol) => ({ task: rename, symbol })),
      ...deletions.map((truth) => ({ task: remove, symbol: truth.symbol, truth })),
    ];
    const own = tasks.filter((task) => task === rename || task === remove).join('-');
    results.push(...(await askContenders(subject, own.replaceAll(' ', '-'), questions)));
  }
  if (tasks.includes('signature')) {
    const { count, seed } = plan;
    const asked = await signatureQuestions(listed, plan.directory, { language: pack.language, count, seed });
    const questions = asked.map((one): Question => ({ task: 'signature', symbol: one.symbol, signature: one }));
    const contenders = plan.contenders.filter(({ changesSignatures }) => changesSignatures === true);
    results.push(...(await askContenders({ ...subject, plan: { ...plan, contenders } }, 'signature', questions)));
  }
  if (tasks.includes('unused')) results.push(...(await askForUnused(subject, listed)));
  if (plan.isPublished) store(pack, results);
  return results;
}

async function askContenders(subject: Subject, own: string, questions: readonly Question[]): Promise<EditResult[]> {
  const { pack, contenders } = subject.plan;
  const results: EditResult[] = [];
  for (const contender of contenders) {
    const scratch = new Scratch(subject.directory, join(symbenchCache, 'edited', own, packageKey(pack)));
    results.push(...(await editAll({ ...subject, contender, scratch, questions })));
  }
  return results;
}

/** Judges which declarations each contender that can list them reports as unused. */
async function askForUnused(subject: Subject, listed: readonly ListedSymbol[]): Promise<EditResult[]> {
  const { plan, directory, oracleKey } = subject;
  const { pack, count, seed } = plan;
  const results: EditResult[] = [];
  for (const contender of plan.contenders.filter(({ findsUnused }) => findsUnused === true)) {
    const scratch = new Scratch(directory, join(symbenchCache, 'edited', 'unused', packageKey(pack)));
    const key = [...oracleKey, 'unused', `${contender.name}@${await contender.version()} ${count} ${seed}`];
    results.push(
      ...(await remembered(key, z.array(EditResult), async () => {
        makePrivate(scratch.directory);
        const run = await contender.start(pack, scratch.directory);
        try {
          const found = await run.findUnused?.();
          if (found === undefined) return [];
          const { claims, answer } = found;
          if (answer.outcome === 'refused') throw new Error(`${pack.name}: ${answer.label}`);
          scratch.restore();
          const bench = await benchOf({ ...subject, scratch });
          const judged = await judgeUnused(bench, { listed, claims, count, seed });
          return judged.map(({ symbol, ...verdict }) =>
            toResult(pack, contender, { task: 'unused', symbol }, { verdict, answer }),
          );
        } finally {
          await run.stop();
        }
      })),
    );
  }
  return results;
}

/** A package with its exercise, and what its oracle says about it. */
interface Subject {
  readonly plan: EditPlan;
  readonly directory: string;
  /** The beginning of the keys of what is stored. */
  readonly oracleKey: readonly string[];
  readonly links: EditBench['links'];
}

/**
 * Returns members that override others or are overridden, and those that stand alone and that no other sample has: of each
 * role about as many.
 */
async function sampleFamilies(
  { plan, directory, links }: Subject,
  listed: readonly ListedSymbol[],
): Promise<BenchSymbol[]> {
  const { pack, oracle, count, seed } = plan;
  const [first] = listed;
  if (first === undefined) return [];
  const roleOf = familyRoles(await links(first.symbol));
  const unlisted = (await oracle.members?.(pack, directory)) ?? [];
  const members = [...listed.map(({ symbol }) => symbol), ...unlisted].flatMap((original) => {
    const isAlone = unlisted.includes(original) && !/^__\w+__$/.test(original.name);
    const role = roleOf(original) ?? (isAlone ? 'stands alone' : undefined);
    return role === undefined ? [] : [{ uses: 0, symbol: { ...original, kind: role }, original }];
  });
  const originals = new Map(members.map(({ symbol, original }) => [symbol, original]));
  const sample = sampleSymbols(members, Math.ceil(count / 2), seed);
  return sample.flatMap(({ symbol }) => originals.get(symbol) ?? []);
}

async function judgeAll(subject: Subject, symbols: readonly BenchSymbol[]): Promise<Deletion[]> {
  const { plan, directory, oracleKey } = subject;
  const [first] = symbols;
  if (first === undefined) return [];
  return remembered([...oracleKey, `deletions ${JSON.stringify(symbols)}`], Deletions, async () => {
    const links = await subject.links(first);
    return withLinks(await plan.oracle.deletions(plan.pack, directory, symbols), links);
  });
}

interface Question {
  readonly task: Task;
  readonly symbol: BenchSymbol;
  /** Of a deletion. */
  readonly truth?: Deletion | undefined;
  /** Of a change of a signature. */
  readonly signature?: SignatureQuestion;
}

interface Round extends Subject {
  readonly contender: EditContender;
  readonly scratch: Scratch;
  readonly questions: readonly Question[];
}

/** Returns what the judgement of all changes in one copy needs. */
async function benchOf({
  plan: { pack, oracle },
  directory,
  scratch,
  oracleKey,
  links,
}: Subject & Pick<Round, 'scratch'>): Promise<EditBench> {
  const baseline = await remembered([...oracleKey, 'baseline'], z.array(z.string()), () =>
    oracle.problems(pack, scratch.directory),
  );
  let outcome: Promise<string[]> | undefined;
  return {
    pack,
    oracle,
    scratch,
    baseline,
    links,
    outcome() {
      outcome ??= remembered([...oracleKey, 'outcome'], z.array(z.string()), () => outcomeOf(pack, directory));
      return outcome;
    },
  };
}

/** Tests that depend on time may fail once. */
const maxExercises = 5;

/** Returns what the exercise of a package prints twice in succession. */
export async function outcomeOf(pack: BenchPackage, directory: string): Promise<string[]> {
  let last: string[] | undefined;
  for (let round = 0; round < maxExercises; round++) {
    const lines = (await pack.exercise?.run(pack, directory)) ?? [];
    if (lines.join('\n') === last?.join('\n')) return lines;
    last = lines;
  }
  throw new Error(`${pack.name}: its exercise prints something else each time`);
}

async function editAll(round: Round): Promise<EditResult[]> {
  const { plan, contender, scratch, questions } = round;
  const { pack } = plan;
  const version = `${contender.name}@${await contender.version()}-${oracleVersion(plan)}`;
  const keyOf = ({ task, symbol, signature }: Question) => {
    const changes = signature === undefined ? '' : ` ${JSON.stringify(signature.changes)}`;
    return [packageKey(pack), task, version, `${questionName(symbol)}${changes}`];
  };
  const isKnown = questions.every((question) => isRemembered(keyOf(question), EditResult));
  let run = isKnown ? undefined : await contender.start(pack, scratch.directory);
  const bench = await benchOf(round);
  try {
    const results: EditResult[] = [];
    for (const question of questions) {
      results.push(
        await remembered(keyOf(question), EditResult, async () => {
          run ??= await contender.start(pack, scratch.directory);
          const restored = scratch.restorations;
          const judged = await judge(bench, run, question);
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

function judge(bench: EditBench, run: EditRun, { symbol, truth, signature }: Question): Promise<JudgedEdit> {
  if (signature !== undefined) return judgeSignature(bench, run, signature);
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
    const path = join(directory, `${pack.language}-${task.replaceAll(' ', '-')}-${packageKey(pack)}.json`);
    const earlier = existsSync(path) ? z.array(EditResult).safeParse(JSON.parse(readFileSync(path, 'utf8'))).data : [];
    writeTextAtomically(path, `${JSON.stringify(mergeResults(earlier, ofTask), undefined, 1)}\n`);
  }
}

function questionName({ at, namePath }: BenchSymbol): string {
  return `${at.file}:${at.line + 1} ${namePath}`;
}

/** What an oracle said about another setup is not used. */
function oracleVersion({ pack, oracle }: EditPlan): string {
  const { configurations, targets, exercise, libraries } = pack;
  const program = exercise?.program === undefined ? '' : readFileSync(exercise.program.source, 'utf8');
  const parts = [judgement, oracle.version, configurations, targets, exercise?.description, program, libraries];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}
