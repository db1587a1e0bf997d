import type { Range } from '../../../lsp/documents/ranges.ts';
import type { PlainSymbol } from '../../../lsp/features/document-symbols.ts';
import { positionAt } from '../../../text/position.ts';
import { type TextLines, textLines } from '../../../text/text-lines.ts';
import type { Quirks } from '../spec.ts';

const kinds = { class: 5, method: 6, function: 12 };

const anyDefinition = /^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+([\p{L}_][\p{L}\p{N}_]*)/gmu;
const definition = /^(?:async\s+)?(def|class)\s+([\p{L}_][\p{L}\p{N}_]*)/u;
const inert =
  /#[^\n]*|"""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''(?:\\[\s\S]|[^\\])*?(?:'''|$)|"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?/g;

/** A statement that may continue on further lines; offsets are in UTF-16 code units. */
interface Statement {
  readonly start: number;
  readonly end: number;
  readonly indent: number;
}

/**
 * Adds functions and classes that pyright 1.1.414 does not report, because it takes their code for unreachable: after
 * `assert sys.platform == "win32"` a whole module has no symbols on Linux. Those inside functions stay out. Covered by
 * `test/servers/unreachable-code.test.ts`.
 */
export const withUnreachable: NonNullable<Quirks['adjustSymbols']> = (symbols, text) => {
  const reported = new Set(namesIn(symbols));
  const isComplete = text.matchAll(anyDefinition).every(([, name = '']) => reported.has(name));
  if (isComplete) return [...symbols];
  const lines = textLines(text);
  return merged(symbols, definitionsIn(statementsOf(lines.text), lines, kinds.function));
};

function namesIn(symbols: readonly PlainSymbol[]): string[] {
  return symbols.flatMap(({ name, children }) => [name, ...namesIn(children)]);
}

/** Returns `symbols` with those of `defined` whose names are missing at the same place of the tree. */
function merged(symbols: readonly PlainSymbol[], defined: readonly PlainSymbol[]): PlainSymbol[] {
  const known = new Set(symbols.map(({ name }) => name));
  const complete = symbols.map((symbol) => {
    const same = defined.find(({ name, kind }) => name === symbol.name && kind === symbol.kind);
    return same?.kind === kinds.class ? { ...symbol, children: merged(symbol.children, same.children) } : symbol;
  });
  return [...complete, ...defined.filter(({ name }) => !known.has(name))];
}

/** Returns the definitions in statements that follow each other; `functionKind` is the kind of their functions. */
function definitionsIn(statements: readonly Statement[], lines: TextLines, functionKind: number): PlainSymbol[] {
  const found: PlainSymbol[] = [];
  let first: Statement | undefined;
  for (let index = 0; index < statements.length; index++) {
    const head = statements[index];
    if (head === undefined) break;
    const code = lines.text.slice(head.start, head.end);
    first ??= head;
    if (code.startsWith('@')) continue;
    const [all, keyword, name = ''] = definition.exec(code) ?? [];
    if (all !== undefined) {
      const next = statements.findIndex(({ indent }, other) => other > index && indent <= head.indent);
      const body = statements.slice(index + 1, next === -1 ? undefined : next);
      const range = rangeOf(lines, first.start, body.at(-1)?.end ?? head.end);
      const nameStart = head.start + all.length - name.length;
      const selectionRange = rangeOf(lines, nameStart, nameStart + name.length);
      const children = keyword === 'class' ? definitionsIn(body, lines, kinds.method) : [];
      found.push({ name, kind: keyword === 'class' ? kinds.class : functionKind, range, selectionRange, children });
      index += body.length;
    }
    first = undefined;
  }
  return found;
}

function rangeOf({ text, starts }: TextLines, start: number, end: number): Range {
  return { start: positionAt(text, starts, start), end: positionAt(text, starts, end) };
}

/** Returns the statements of a module in its order, whatever they are in. */
function statementsOf(text: string): Statement[] {
  const code = text.replace(inert, (found) => (found.startsWith('#') ? ' ' : '_').repeat(found.length));
  const found: Statement[] = [];
  let depth = 0;
  let [start, end] = [-1, -1];
  let lineStart = 0;
  for (let at = 0; at <= code.length; at++) {
    const character = code[at] ?? '\n';
    if (character === '\n') {
      const isContinued = depth > 0 || code[at - 1] === '\\';
      if (start !== -1 && (!isContinued || at === code.length)) {
        found.push({ start, end, indent: widthOf(code.slice(lineStart, start)) });
        start = -1;
      }
      if (start === -1) lineStart = at + 1;
    } else if (!/\s/.test(character)) {
      if (start === -1) start = at;
      end = at + 1;
      if ('([{'.includes(character)) depth++;
      else if (')]}'.includes(character)) depth = Math.max(0, depth - 1);
    }
  }
  return found;
}

/** Returns the column after leading white space; a tab ends at a multiple of eight. */
function widthOf(space: string): number {
  return [...space].reduce((width, character) => (character === '\t' ? (Math.floor(width / 8) + 1) * 8 : width + 1), 0);
}
