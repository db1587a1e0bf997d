import type { Seed } from '../model.ts';
import { appended } from './appended.ts';

const guardEnd = /\n#\s*endif[^\n]*\s*$/;

/** Returns an error in code that is added at the end of a C++ file, before the end of an include guard. */
export function inGuard(kind: string, code: string, options: Pick<Seed, 'isSyntax' | 'isAcross'> = {}): Seed {
  const atEnd = appended(kind, code, options);
  return {
    kind,
    ...options,
    apply: (text) =>
      guardEnd.test(text) ? text.replace(guardEnd, (end) => `\n\n${code}\n${end.trimEnd()}\n`) : atEnd.apply(text),
  };
}
