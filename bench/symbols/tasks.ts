import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../../scripts/support/paths.ts';
import { Measured } from './measured.ts';
import { measuredNow } from './measured-now.ts';
import { Answer, type BenchPackage, type Contender, type ContenderRun, cannotAnswer } from './model.ts';
import { packageKey } from './packages.ts';
import type { Score } from './score.ts';
import { isRemembered, remembered } from './store.ts';

export const Result = z.object({
  language: z.string(),
  package: z.string(),
  task: z.string(),
  /** The symbol as `file:line namePath`, or the file. */
  question: z.string(),
  /** Kind of the symbol. */
  kind: z.string(),
  contender: z.string(),
  verdict: z.enum(['exact', 'extra', 'labelled', 'silent', 'refused', 'cannot']),
  precision: z.number(),
  recall: z.number(),
  expected: z.int(),
  missing: z.array(z.string()),
  extra: z.array(z.string()),
  label: z.string().optional(),
  doubt: z.string().optional(),
  ms: z.number(),
  chars: z.int(),
  tokensIn: z.int(),
  tokensOut: z.int(),
  calls: z.int(),
  megabytes: z.number().optional(),
  measured: Measured.optional(),
});
/** One answer and its score. */
export type Result = z.infer<typeof Result>;

/** A question to all contenders, and how its answer is scored. */
export interface Question {
  readonly task: 'references' | 'overview' | 'implementations' | 'diagnostics' | 'traps';
  readonly name: string;
  /** Changes with what is asked, where the name alone does not say it: answers of another version are not used. */
  readonly version?: string;
  readonly kind: string;
  readonly expected: number;
  readonly doubt?: string | undefined;
  ask(run: ContenderRun): Promise<Answer>;
  score(answer: Answer): Score;
}

/** Begins the label of an answer that does not exist, because the contender does not run on this machine. */
export const notMeasured = 'not measured: ';

/** Asks one contender all questions about a package, in one process; stored answers are not asked for again. */
export async function askContender(
  contender: Contender,
  pack: BenchPackage,
  directory: string,
  questions: readonly Question[],
): Promise<Result[]> {
  const version = `${contender.name}@${await contender.version()}-${adapterVersion(contender)}`;
  const keyOf = ({ task, name, version: asked }: Question) => [
    packageKey(pack),
    task,
    version,
    asked === undefined ? name : `${name} ${asked}`,
  ];
  const isKnown = questions.every((question) => isRemembered(keyOf(question), Answer));
  let run: ContenderRun | undefined;
  try {
    run = isKnown ? undefined : await contender.start(pack, directory);
  } catch (error) {
    const label = `${notMeasured}${error instanceof Error ? error.message : String(error)}`;
    process.stderr.write(`${contender.name}: ${label}\n`);
    return questions.map((question) => toResult(contender, pack, question, { ...cannotAnswer, label }));
  }
  try {
    const results: Result[] = [];
    for (const question of questions) {
      const answer = await remembered(keyOf(question), Answer, () => ask(run, question)).catch(toRefusal);
      results.push(toResult(contender, pack, question, answer));
    }
    return results;
  } finally {
    await run?.stop();
  }
}

async function ask(run: ContenderRun | undefined, question: Question): Promise<Answer> {
  if (run === undefined) throw new Error('the contender is not running');
  const answer = await question.ask(run);
  const megabytes = run.peakMegabytes?.();
  return { ...answer, ...(megabytes === undefined ? {} : { megabytes }), measured: measuredNow() };
}

/** A contender that ends or hangs has given an error, and the questions after it are asked nevertheless. */
function toRefusal(error: unknown): Answer {
  return { ...cannotAnswer, outcome: 'refused', label: error instanceof Error ? error.message : String(error) };
}

/** A hash of the adapter and of what adapters share: what a changed adapter received before is not used. */
export function adapterVersion({ adapter }: Contender): string {
  const hash = createHash('sha256').update(readFileSync(adapter));
  hash.update(readFileSync(join(root, 'bench/symbols/contenders/serena-answers.ts')));
  const shared = join(root, 'bench/symbols/running');
  for (const name of readdirSync(shared).sort()) hash.update(readFileSync(join(shared, name)));
  return hash.digest('hex').slice(0, 8);
}

function toResult(contender: Contender, pack: BenchPackage, question: Question, answer: Answer): Result {
  const score = question.score(answer);
  return {
    language: pack.language,
    package: pack.name,
    task: question.task,
    question: question.name,
    kind: question.kind,
    contender: contender.name,
    ...score,
    missing: [...score.missing],
    extra: [...score.extra],
    expected: question.expected,
    ...(answer.label === undefined ? {} : { label: answer.label }),
    ...(question.doubt === undefined ? {} : { doubt: question.doubt }),
    ms: answer.ms,
    chars: answer.chars,
    tokensIn: answer.tokensIn,
    tokensOut: answer.tokensOut,
    calls: answer.calls,
    ...(answer.megabytes === undefined ? {} : { megabytes: answer.megabytes }),
    ...(answer.measured === undefined ? {} : { measured: answer.measured }),
  };
}
