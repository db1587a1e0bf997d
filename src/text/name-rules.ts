import { profileOf } from '../languages/profiles.ts';

/**
 * Returns why `name` is not a valid name of a symbol in a language (an LSP id), as the end of a sentence that begins
 * with the name; `undefined` if it is valid. For languages without rules, only whitespace and control characters are
 * invalid.
 */
export function nameProblem(name: string, languageId: string): string | undefined {
  const known = profileOf(languageId)?.names;
  if (/[\s\p{Cc}]/u.test(name) && known?.pattern.test(name) !== true)
    return 'contains whitespace or a control character';
  if (known === undefined) return undefined;
  if (known.reserved.split(/\s+/).includes(name)) return `is a reserved word in ${known.language}`;
  return known.pattern.test(name) ? undefined : `is not a valid identifier in ${known.language}`;
}
