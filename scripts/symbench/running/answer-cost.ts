import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Answer } from '../model.ts';

/** The part of an answer that says what it costs its caller. */
export type AnswerCost = Pick<Answer, 'ms' | 'chars' | 'tokensIn' | 'tokensOut' | 'calls'>;

/** Returns the cost of one request that took `ms`; tokens are those of o200k_base, on both sides. */
export function costOf(request: string, answer: string, ms: number): AnswerCost {
  // Answers contain source code, which may quote special tokens.
  const options = { disallowedSpecial: new Set<string>() };
  return {
    ms,
    chars: answer.length,
    tokensIn: countTokens(request, options),
    tokensOut: countTokens(answer, options),
    calls: 1,
  };
}

/** Returns the cost of all requests together. */
export function sumOfCosts(costs: readonly AnswerCost[]): AnswerCost {
  const sum = (field: keyof AnswerCost) => costs.reduce((total, cost) => total + cost[field], 0);
  return {
    ms: sum('ms'),
    chars: sum('chars'),
    tokensIn: sum('tokensIn'),
    tokensOut: sum('tokensOut'),
    calls: sum('calls'),
  };
}
