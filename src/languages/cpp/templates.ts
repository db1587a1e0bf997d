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
 * True if clangd's syntax tree (`textDocument/ast`, its own request) has a name that depends on the parameters of a
 * template at a range of an open document: `Traits<T>::name`, `Traits<T>().name`. clangd leads such a name to the
 * primary template, also where a specialization takes its place.
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
 * clangd checks code that depends on the parameters of a template only for arguments, and a header by itself has those
 * of other files not. It reads no bodies of included files, and so finds no errors there while it checks those others.
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
 * Returns the symbols of a C++ text with the `template <…>` before a declaration in its range. clangd 22.1 leaves it out
 * of the ranges of templates, so that a deletion would leave it, and an insertion would follow it. Covered by the tests of
 * edits of templates in `test/languages/cpp/templates.test.ts`.
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
