import { type Answer, type ContenderRun, cannotAnswer } from '../model.ts';
import { sumOfCosts } from './answer-cost.ts';

/** Asks a contender about the errors in each of these files, as one answer: a file that it refuses is labelled. */
export async function askAboutErrors(run: ContenderRun, files: readonly string[]): Promise<Answer> {
  const answers: Answer[] = [];
  for (const file of files) answers.push((await run.diagnostics?.(file)) ?? cannotAnswer);
  const [first] = answers;
  if (first === undefined || answers.some(({ outcome }) => outcome === 'cannot')) return cannotAnswer;
  const labels = answers.flatMap(({ label }) => label ?? []);
  return {
    outcome: answers.every(({ outcome }) => outcome === 'refused') ? 'refused' : 'answered',
    positions: answers.flatMap(({ positions }) => positions),
    namePaths: [],
    ...(labels.length === 0 ? {} : { label: labels.join('\n') }),
    ...sumOfCosts(answers),
  };
}
