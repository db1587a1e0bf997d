import type { Answer, AnsweredPosition, Judged, Position } from './model.ts';

export type Verdict = 'exact' | 'extra' | 'labelled' | 'silent' | 'refused' | 'cannot';

export interface Score {
  readonly verdict: Verdict;
  /** From 0 to 1; 1 for an answer that has nothing to find or to be wrong about. */
  readonly precision: number;
  readonly recall: number;
  /** What is missing and what is too much, as `file:line` with 1-based lines, or as name paths. */
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

/**
 * Scores the answer to a references question by lines: contenders that give no columns are comparable. The line of the
 * declaration counts neither for nor against an answer.
 */
export function scoreReferences({ symbol, must, may }: Judged, answer: Answer): Score {
  const own = lineOf(symbol.at);
  const without = (positions: readonly Position[]) => new Set(positions.map(lineOf).filter((line) => line !== own));
  const got = answer.positions.flatMap((position) => linesIn(position, [...must, ...may, symbol.at]));
  return scoreSets({ must: without(must), may: without(may), got: without(got) }, answer);
}

/** Returns the references that a named definition contains; if there is none, its first line, which is then wrong. */
function linesIn(answered: AnsweredPosition, references: readonly Position[]): Position[] {
  const { file, line, endLine } = answered;
  if (endLine === undefined) return [answered];
  const inside = references.filter((at) => at.file === file && line <= at.line && at.line <= endLine);
  return inside.length === 0 ? [answered] : inside;
}

/** Scores the answer to an overview question; both sets hold name paths. */
export function scoreOverview(truth: { must: readonly string[]; may: readonly string[] }, answer: Answer): Score {
  const [must, got] = [new Set(truth.must), new Set(answer.namePaths)];
  // What is inside a definition, such as a function in a function, may be listed.
  const known = [...truth.must, ...truth.may];
  const inside = [...got].filter((path) => known.some((outer) => path.startsWith(`${outer}/`)));
  return scoreSets({ must, may: new Set([...truth.may, ...inside]), got }, answer);
}

/** Lines (0-based, inclusive) of a file in which an answer must have an error. */
export interface ErrorLines {
  readonly file: string;
  readonly first: number;
  readonly last: number;
}

/** Scores the answer to a question about errors. Further errors may be right, since no compiler reports everything. */
export function scoreErrors(expected: readonly ErrorLines[], answer: Answer): Score {
  const nameOf = ({ file, first, last }: ErrorLines) =>
    first === last ? `${file}:${first + 1}` : `${file}:${first + 1}-${last + 1}`;
  const found = expected.filter(({ file, first, last }) =>
    answer.positions.some((at) => at.file === file && first <= at.line && at.line <= last),
  );
  const must = new Set(expected.map(nameOf));
  return scoreSets({ must, may: must, got: new Set(found.map(nameOf)) }, answer);
}

interface Sets {
  readonly must: ReadonlySet<string>;
  readonly may: ReadonlySet<string>;
  readonly got: ReadonlySet<string>;
}

function scoreSets({ must, may, got }: Sets, answer: Answer): Score {
  if (answer.outcome !== 'answered') {
    return { verdict: answer.outcome, precision: 1, recall: 0, missing: [...must], extra: [] };
  }
  const missing = [...must.difference(got)];
  const extra = [...got.difference(may).difference(must)];
  const recall = must.size === 0 ? 1 : 1 - missing.length / must.size;
  const precision = got.size === 0 ? 1 : 1 - extra.length / got.size;
  return { verdict: verdictOf(answer, missing.length, extra.length), precision, recall, missing, extra };
}

/** A label excuses what is missing, never what is too much. */
function verdictOf({ label }: Answer, missing: number, extra: number): Verdict {
  if (missing > 0) return label === undefined ? 'silent' : 'labelled';
  return extra > 0 ? 'extra' : 'exact';
}

function lineOf({ file, line }: Position): string {
  return `${file}:${line + 1}`;
}
