import { z } from 'zod';
import { median } from '../speed/table.ts';
import { Measured } from './measured.ts';
import { measuredNow } from './measured-now.ts';
import type { BenchPackage, Contender } from './model.ts';
import { packageKey } from './packages.ts';
import { remembered } from './store.ts';
import { adapterVersion, type Question } from './tasks.ts';

const rounds = 3;
const warmQuestions = 5;

export const TimeResult = z.object({
  language: z.string(),
  package: z.string(),
  contender: z.string(),
  /** Medians, in milliseconds: from the start of the process to its first answer, and of later answers. */
  coldMs: z.number(),
  warmMs: z.number(),
  measured: Measured.optional(),
});
/** How long one contender takes. */
export type TimeResult = z.infer<typeof TimeResult>;

/**
 * Measures how long contenders take for the first and for later answers about one package. In every round each contender
 * is started, asked the same questions and stopped, so that what else the machine does affects all of them alike.
 */
export async function measureTimes(
  contenders: readonly Contender[],
  pack: BenchPackage,
  directory: string,
  questions: readonly Question[],
): Promise<TimeResult[]> {
  const asked = mostUsed(questions);
  if (asked.length === 0) return [];
  const versions = await Promise.all(
    contenders.map(async (contender) => `${contender.name}@${await contender.version()}-${adapterVersion(contender)}`),
  );
  const key = [packageKey(pack), 'times', JSON.stringify([versions, asked.map(({ name }) => name)])];
  return remembered(key, z.array(TimeResult), async () => {
    const times = new Map<Contender, Round[]>();
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        process.stderr.write(`${pack.name}: times of ${contender.name}, round ${round + 1} …\n`);
        const measured = await measureOnce(contender, pack, directory, asked);
        if (measured !== undefined) times.set(contender, [...(times.get(contender) ?? []), measured]);
      }
    }
    return [...times].map(([{ name }, own]) => ({
      language: pack.language,
      package: pack.name,
      contender: name,
      coldMs: median(own.map(({ coldMs }) => coldMs)),
      warmMs: median(own.flatMap(({ warmMs }) => warmMs)),
      measured: measuredNow(),
    }));
  });
}

/** The first symbol has most references; the order of the others is that of the sample. */
function mostUsed(questions: readonly Question[]): Question[] {
  const references = questions.filter(({ task }) => task === 'references');
  const first = references.toSorted((a, b) => b.expected - a.expected)[0];
  if (first === undefined) return [];
  return [first, ...references.filter((question) => question !== first).slice(0, warmQuestions)];
}

interface Round {
  readonly coldMs: number;
  readonly warmMs: readonly number[];
}

/** Returns nothing about a contender that does not run here or has no such function. */
async function measureOnce(
  contender: Contender,
  pack: BenchPackage,
  directory: string,
  [first, ...others]: readonly Question[],
): Promise<Round | undefined> {
  if (first === undefined) return undefined;
  const startedAt = performance.now();
  const run = await contender.start(pack, directory).catch(() => undefined);
  if (run === undefined) return undefined;
  try {
    const answer = await first.ask(run);
    const coldMs = performance.now() - startedAt;
    if (answer.outcome === 'cannot') return undefined;
    const warmMs: number[] = [];
    for (const question of others) warmMs.push((await question.ask(run)).ms);
    return { coldMs, warmMs };
  } catch {
    return undefined;
  } finally {
    await run.stop();
  }
}
