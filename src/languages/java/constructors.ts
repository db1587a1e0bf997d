import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { kinds } from '../../symbols/model/kinds.ts';
import { readable, type SymbolScope } from '../../symbols/model/scope.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import { spanOf } from '../../symbols/model/text-range.ts';

const passesArguments = /\bsuper\s*\(\s*[^)\s]/;

/**
 * jdtls lists no references to a constructor that the class needs to compile:
 *
 * ```java
 * class Base { Base(String name) {} }
 * class Sub extends Base { Sub(String name) { super(name); } }   // without it, `Sub` calls `super()`
 * ```
 *
 * Returns why the only constructor of a class is used; `undefined` for other symbols.
 */
export function whyUsed(scope: SymbolScope, _: ActiveServer, symbol: SymbolNode): string | undefined {
  const { kind, parent, file, range } = symbol;
  const others = parent?.children.filter((node) => node.kind === kinds.constructor && node !== symbol) ?? [];
  if (kind !== kinds.constructor || others.length > 0) return undefined;
  const lines = readable(scope, file);
  const span = lines && spanOf(lines, range);
  if (lines === undefined || span === undefined) return undefined;
  if (!passesArguments.test(lines.text.slice(span.start, span.end))) return undefined;
  return `without it \`${parent?.name ?? ''}\` has a constructor that calls \`super()\` without arguments`;
}
