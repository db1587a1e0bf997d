import { type EditResult, harmfulVerdicts as harmfulEdits } from './edits/edit-result.ts';
import type { Result } from './tasks.ts';

const harmfulVerdicts: ReadonlySet<string> = new Set(['silent', ...harmfulEdits]);

/** Returns a line for each answer of this product that misleads its caller or destroys code. */
export function harmfulAnswers(results: readonly Result[], edits: readonly EditResult[]): string[] {
  const own = <Kind extends { contender: string; verdict: string }>(all: readonly Kind[]) =>
    all.filter(({ contender, verdict }) => contender === 'this product' && harmfulVerdicts.has(verdict));
  return [
    ...own(results).map(
      ({ package: name, task, question, verdict, missing }) =>
        `${name}: ${task}: ${question}: ${verdict}: ${missing.join(', ')}`,
    ),
    ...own(edits).map(
      ({ package: name, task, question, verdict, detail }) => `${name}: ${task}: ${question}: ${verdict}: ${detail}`,
    ),
  ];
}
