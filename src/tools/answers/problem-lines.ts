import type { FileProblem } from '../../symbols/queries/new-problems.ts';

/** Problems that an answer lists; a single missing bracket may cause any number. */
export const maxProblems = 20;

/** Returns one line for each problem, up to a limit, and one with the number of the others. Lines are 0-based. */
export function problemLines(problems: readonly FileProblem[]): string[] {
  const lines = problems.slice(0, maxProblems).map(({ file, diagnostic: { range, severity, message } }) => {
    const kind = severity === 1 ? 'error' : 'warning';
    return `  ${file}:${range.start.line}: ${kind}: ${message.replace(/\s+/g, ' ').trim()}`;
  });
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}
