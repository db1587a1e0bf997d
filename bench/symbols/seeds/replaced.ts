import type { Seed } from '../model.ts';

/** Returns an error that the replacement of the first match makes in the code of a file. */
export function replaced(
  kind: string,
  pattern: RegExp,
  replacement: string,
  options: Pick<Seed, 'isSyntax' | 'isAcross'> = {},
): Seed {
  return {
    kind,
    ...options,
    apply: (text) => (pattern.test(text) ? text.replace(pattern, replacement) : undefined),
  };
}
