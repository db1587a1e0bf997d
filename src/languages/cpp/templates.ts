import type { RequestLimits } from '../../lsp/client/connection.ts';
import type { LanguageServer } from '../../lsp/client/language-server.ts';
import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { field } from '../../lsp/readiness/readiness.ts';
import type { ServerAdapter } from '../../servers/adapter.ts';
import { lineStarts } from '../../text/lines.ts';
import { comparePositions, type Place } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { isHeader } from './other-programs.ts';

/**
 * clangd 22.1 resolves a name that depends on parameters of a template to the primary template, or to nothing:
 *
 * ```cpp
 * template <class T> struct Traits { static int size(); };
 * template <> struct Traits<int> { static int size(); };
 * template <class T> int twice() { return 2 * Traits<T>::size(); }   // may mean either of them
 * ```
 *
 * True if clangd's syntax tree (`textDocument/ast`, its own request) has such a name at a range of an open document.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function isDependentName(
  server: LanguageServer,
  { file, range }: Place,
  limits: RequestLimits,
): Promise<boolean> {
  const textDocument = { uri: server.files.uriOf(file) };
  const node = await server.request('textDocument/ast', { textDocument, range }, limits);
  const kind = field(node, 'kind');
  return typeof kind === 'string' && kind.includes('Dependent');
}

const templateLine = /^[ \t]*template[ \t]*</m;

/**
 * clangd 22.1 checks code that depends on parameters of a template only with arguments, which other files have:
 *
 * ```cpp
 * // shelf.h
 * template <class T> int count(const T &items) { return items.missing(); }   // no error here
 * ```
 *
 * It reads no bodies of included files, and so finds no such errors while it checks those others.
 */
export const templateGap: NonNullable<ServerAdapter['diagnosticsGapOf']> = (file, text) => {
  if (!isHeader(file) || !templateLine.test(text)) return undefined;
  return {
    missing: `Errors of \`${file}\` in code that depends on parameters of templates may be missing`,
    reason: 'clangd does not check that code with the arguments that other files use',
    next: 'Compile a file that uses the templates',
  };
};

const keyword = /\btemplate\s*$/;
/** Longer headers are not looked for. */
const maxChars = 2_000;

/**
 * clangd 22.1 leaves the header out of the range of a template:
 *
 * ```cpp
 * template <class T>
 * T largest(T one, T other);   // the range begins here: a deletion would leave the line above
 * ```
 *
 * Returns symbols with the headers. Covered by the tests of edits of templates in `test/languages/cpp/templates.test.ts`.
 */
export function withTemplateHeaders(symbols: readonly PlainSymbol[], text: string): PlainSymbol[] {
  const starts = lineStarts(text);
  const extended = (symbol: PlainSymbol): PlainSymbol => {
    const { line, character } = symbol.range.start;
    const offset = (starts[line] ?? 0) + character;
    const first = headerStart(text, offset);
    const start = first === offset ? symbol.range.start : positionAt(text, starts, first);
    return { ...symbol, range: { ...symbol.range, start }, children: symbol.children.map(extended) };
  };
  return symbols.map(extended).sort((a, b) => comparePositions(a.range.start, b.range.start));
}

/** Returns where the template headers before an offset begin; the offset itself if there are none. */
function headerStart(text: string, offset: number): number {
  let first = offset;
  for (;;) {
    const end = text.slice(Math.max(0, first - maxChars), first).trimEnd().length + Math.max(0, first - maxChars);
    const open = text[end - 1] === '>' ? openingOf(text, end - 1) : undefined;
    const before = open === undefined ? null : keyword.exec(text.slice(Math.max(0, open - 20), open));
    if (open === undefined || before === null) return first;
    first = open - before[0].length;
  }
}

/** Returns the offset of the `<` that the `>` at an offset closes; what is in parentheses is skipped. */
function openingOf(text: string, close: number): number | undefined {
  let angles = 0;
  let parentheses = 0;
  for (let at = close; at >= Math.max(0, close - maxChars); at--) {
    const char = text[at];
    if (char === ')') parentheses++;
    if (char === '(') parentheses--;
    if (char === ';' || char === '{' || char === '}' || parentheses < 0) return undefined;
    if (parentheses > 0) continue;
    if (char === '>') angles++;
    if (char === '<' && --angles === 0) return at;
  }
  return undefined;
}
