import { z } from 'zod';
import { type BenchPackage, FileTruth, type OverviewOracle } from './model.ts';
import { oracleKey } from './references-task.ts';
import { type SampleSize, shuffle } from './sample.ts';
import { scoreOverview } from './score.ts';
import { remembered } from './store.ts';
import type { Question } from './tasks.ts';

/** Returns a question about each file of the sample. */
export async function overviewQuestions(
  oracle: OverviewOracle,
  pack: BenchPackage,
  directory: string,
  { count, seed }: SampleSize,
): Promise<Question[]> {
  const files = await remembered([...oracleKey(pack), 'files'], z.array(FileTruth), () =>
    oracle.files(pack, directory),
  );
  const withContent = files.filter(({ must }) => must.length > 0);
  return shuffle(withContent, seed)
    .slice(0, count)
    .map((truth) => ({
      task: 'overview',
      name: truth.file,
      kind: 'file',
      expected: truth.must.length,
      ask: (run) => run.overview(truth.file),
      score: (answer) => scoreOverview(truth, answer),
    }));
}
