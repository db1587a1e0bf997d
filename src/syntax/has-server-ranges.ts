import type { SyntaxLanguage } from './languages.ts';

/** In a file of its own, because the main thread needs no table. */
const languages: readonly SyntaxLanguage[] = ['go', 'python', 'rust', 'tsx', 'typescript'];

/**
 * True if symbols can be edited by the ranges of their syntax trees: the ranges were compared with those of the language's
 * server and agree; `test/syntax/agreement.test.ts` has the figures.
 */
export function hasServerRanges(language: SyntaxLanguage): boolean {
  return languages.includes(language);
}
