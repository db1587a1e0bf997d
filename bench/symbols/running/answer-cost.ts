import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Answer } from '../model.ts';

/** The part of an answer that says what it costs its caller. */
export type AnswerCost = Pick<Answer, 'ms' | 'charsIn' | 'chars' | 'tokensIn' | 'tokensOut' | 'calls'>;

/** Counts for the project's directory, so that the place of the benchmark's cache does not. */
const usualDirectory = '/home/user/project';

/** A request and its answer. */
export interface Exchanged {
  readonly request: string;
  readonly answer: string;
  readonly ms: number;
  /** Absolute path of the project, which some contenders want and return. */
  readonly directory?: string;
}

/** Returns the cost of one request; tokens are those of o200k_base. */
export function costOf({ request, answer, ms, directory }: Exchanged): AnswerCost {
  const shorten = (text: string) => (directory === undefined ? text : text.replaceAll(directory, usualDirectory));
  const [sent, received] = [shorten(request), shorten(answer)];
  const tokens = { tokensIn: tokensOf(sent), tokensOut: tokensOf(received) };
  return { ms, charsIn: sent.length, chars: received.length, ...tokens, calls: 1 };
}

/** Source code may quote special tokens, which are ordinary text here. */
function tokensOf(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set<string>() });
}

/** Returns the cost of all requests together. */
export function sumOfCosts(costs: readonly AnswerCost[]): AnswerCost {
  const sum = (field: keyof AnswerCost) => costs.reduce((total, cost) => total + cost[field], 0);
  return {
    ms: sum('ms'),
    charsIn: sum('charsIn'),
    chars: sum('chars'),
    tokensIn: sum('tokensIn'),
    tokensOut: sum('tokensOut'),
    calls: sum('calls'),
  };
}
