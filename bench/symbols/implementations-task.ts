import { z } from 'zod';
import { type BenchPackage, cannotAnswer, type ImplementationsOracle, Judged } from './model.ts';
import { oracleKey } from './references-task.ts';
import { type SampleSize, sampleSymbols } from './sample.ts';
import { scoreReferences } from './score.ts';
import { remembered } from './store.ts';
import type { Question } from './tasks.ts';

/** Returns a question about the implementations of each abstract symbol of the sample. */
export async function implementationsQuestions(
  oracle: ImplementationsOracle,
  pack: BenchPackage,
  directory: string,
  { count, seed }: SampleSize,
): Promise<Question[]> {
  const all = await remembered([...oracleKey(pack), 'implementations'], z.array(Judged), () =>
    oracle.judge(pack, directory),
  );
  const truths = new Map(all.map((truth) => [truth.symbol, truth]));
  const listed = all.map(({ symbol, must }) => ({ symbol, uses: must.length }));
  return sampleSymbols(listed, count, seed).flatMap(({ symbol }) => {
    const truth = truths.get(symbol);
    return truth === undefined ? [] : [toQuestion(truth)];
  });
}

function toQuestion(truth: Judged): Question {
  const { symbol } = truth;
  return {
    task: 'implementations',
    name: `${symbol.at.file}:${symbol.at.line + 1} ${symbol.namePath}`,
    kind: symbol.kind,
    expected: truth.must.length,
    doubt: truth.doubt,
    ask: async (run) => (await run.implementations?.(symbol)) ?? cannotAnswer,
    score: (answer) => scoreReferences(truth, answer),
  };
}
