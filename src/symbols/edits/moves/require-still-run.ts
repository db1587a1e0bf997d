import { isMoved, type PythonCodeMove, refusedByLines } from './python-code-move.ts';
import type { PythonUses } from './python-uses.ts';

/** Decorators that only return what they get, or something in its place. */
const plainDecorator =
  /^@\s*(?:(?:functools|dataclasses|contextlib|typing|typing_extensions|t|te|abc|attr|attrs|enum)\s*\.|(?:wraps|lru_cache|cache|total_ordering|singledispatch|contextmanager|asynccontextmanager|dataclass|overload|final|override|runtime_checkable|deprecated|unique|define|frozen|mutable)(?![\p{L}\p{N}_]))/u;

/**
 * Checks that importing the old module still runs code that may register itself somewhere when it runs: with decorators
 * of the project or of other libraries, and classes and values that nothing else imports.
 *
 * @throws {ExpectedError} `edit.refused` with the lines.
 */
export function requireStillRun(move: PythonCodeMove, uses: PythonUses): void {
  const { source, task } = move;
  if (task.reExports || uses.own.length > 0) return;
  const top = source.statements.filter(({ start, indent }) => indent === 0 && isMoved(move, start));
  const decorators = top.filter(({ code }) => code.startsWith('@') && !plainDecorator.test(code));
  const isUnused = uses.imports.length + uses.attributes.length === 0;
  const others = isUnused
    ? top.filter(({ code }) => /^class\s[^(]*\(.*\S.*\)|^(?!@|def\s|async\s|class\s)[^=]*=.*\(/su.test(code))
    : [];
  const effects = [...decorators, ...others];
  if (effects.length === 0) return;
  throw refusedByLines(move, `importing \`${source.file}\` would no longer run what this may register`, {
    module: source,
    offsets: effects.map(({ start }) => start),
    hint: `pass \`re_export\`: then \`${source.file}\` imports the new file`,
  });
}
