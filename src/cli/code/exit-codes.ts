import { exitCodes } from '../report.ts';

/** Exit codes of the commands that ask about code, as the help, the man page and the documents list them. */
export const codeExitCodes = { found: 0, nothingFound: 1, problems: 1, usage: 2, incomplete: 3, failed: 4 } as const;

/** Meaning of each exit code, in the order of the codes. */
export const exitCodeMeanings: readonly (readonly [code: number | string, meaning: string])[] = [
  [codeExitCodes.found, 'found, or done'],
  [codeExitCodes.nothingFound, 'nothing found; for `diagnostics`: no problems; for `verify`: problems'],
  [codeExitCodes.usage, 'wrong usage'],
  [codeExitCodes.incomplete, 'incomplete: the answer is printed, and its gaps are named'],
  [codeExitCodes.failed, 'failed, for example because a symbol does not exist or is ambiguous'],
  [exitCodes.unavailable, 'a language server, a runtime or a download is not available'],
  [exitCodes.bug, 'internal error'],
  [exitCodes.inputOutput, 'there is no space, or `SERENA_HOME` cannot be written'],
  [exitCodes.retry, 'another process holds a lock; try again'],
  [exitCodes.configuration, 'a configuration file is wrong or missing'],
  ['128 + n', 'stopped by signal n'],
];
