import type { Seed } from '../model.ts';

/** Returns an error in code that is added at the end of a file. */
export function appended(kind: string, code: string, options: Pick<Seed, 'isSyntax' | 'isAcross'> = {}): Seed {
  return { kind, ...options, apply: (text) => `${text.trimEnd()}\n\n${code}\n` };
}
