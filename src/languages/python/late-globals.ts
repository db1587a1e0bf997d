import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { syntaxTrees } from '../../syntax/syntax-trees.ts';

/**
 * Finds names that are used before their `global` or `nonlocal` statement, a syntax error that pyright 1.1.414 reports
 * only if they were assigned. Covered by `test/servers/late-globals.test.ts`.
 */
export const lateGlobals: NonNullable<Quirks['moreDiagnostics']> = async (text) => {
  if (!/^[ \t]*(?:global|nonlocal)\b/m.test(text)) return [];
  try {
    const late = await syntaxTrees.lateDeclarations('python', text);
    return late.map(({ name, start }) => ({
      range: { start, end: { line: start.line, character: start.character + name.length } },
      message: `"${name}" is used before its global or nonlocal declaration`,
      severity: 1,
      code: undefined,
      source: 'syntax',
    }));
  } catch (error) {
    log('servers').warn(`cannot check global statements: ${messageOf(error)}`);
    return [];
  }
};
