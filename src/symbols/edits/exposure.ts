import type { Exposure } from '../../languages/language-profile.ts';
import { profileOf } from '../../languages/profiles.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { firstAttachedLine } from '../../text/definition-syntax.ts';
import { offsetAt } from '../../text/position.ts';
import { isTest } from '../model/is-test.ts';
import { isTypeKind, kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { startOfLine } from '../model/text-range.ts';

/** Returns the language of a file and what is known of the use of its declarations. */
export function exposureIn(
  { files }: SymbolScope,
  file: string,
): { readonly language: string; readonly exposure: Exposure | undefined } {
  const active = files.sources.serverOf(file);
  const language = (active && languageIdOf(active.spec, file)) ?? '';
  return { language, exposure: profileOf(language)?.exposure };
}

/** What prepares tests runs without a reference, unlike a test, which somebody who deletes it knows. */
const preparesTests = /fixture|before|after|set_?up|tear_?down/i;

/**
 * Returns why a framework, a tool or the language may find a declaration that nothing refers to, as a clause; `undefined`
 * for tests.
 *
 * ```python
 * @app.route("/")
 * def index(): ...
 * ```
 */
export function whyFound(scope: SymbolScope, symbol: SymbolNode): string | undefined {
  const { exposure } = exposureIn(scope, symbol.file);
  if (exposure === undefined) return undefined;
  const before = textBefore(scope, symbol);
  if (isTest(symbol) && !preparesTests.test(before)) return undefined;
  const isTopLevel = symbol.parent === undefined;
  if (isTopLevel && exposure.entry?.test(symbol.name) === true)
    return 'declarations of this name are called by the language or its tools';
  const mark = exposure.registered.exec(before)?.[0];
  return mark === undefined ? undefined : `something may find it by \`${mark.trim()}\``;
}

/** Returns a note about what takes the name of a declaration for its users, such as `@click.command()`. */
export function takenName(scope: SymbolScope, symbol: SymbolNode): string[] {
  const mark = exposureIn(scope, symbol.file).exposure?.namedBy?.exec(textBefore(scope, symbol))?.[0];
  return mark === undefined
    ? []
    : [`users of the program may know \`${symbol.name}\` by its name: \`${mark.trim()}\` takes it`];
}

/** Returns the text from the annotations of a declaration to its name, with those comments that are directives. */
export function textBefore(scope: SymbolScope, { file, range, selectionRange }: SymbolNode): string {
  const { language, exposure } = exposureIn(scope, file);
  const lines = scope.files.textOf(file);
  const first = firstAttachedLine(lines, range.start.line, language);
  const start = startOfLine(lines, first);
  const end = offsetAt(lines.text, lines.starts, selectionRange.start) ?? start;
  const { line: comment, block } = profileOf(language)?.attached ?? {};
  const written = lines.text.slice(start, end);
  return (block === undefined ? written : withoutBlocks(written, block))
    .split('\n')
    .filter((line) => comment?.test(line.trim()) !== true || exposure?.directive?.test(line) === true)
    .join('\n');
}

function withoutBlocks(text: string, [begin, end]: readonly [string, string]): string {
  const [code = '', ...blocks] = text.split(begin);
  const rest = blocks.map((block) => (block.includes(end) ? block.slice(block.indexOf(end) + end.length) : ''));
  return [code, ...rest].join('');
}

const variableKinds: readonly number[] = [kinds.variable, kinds.constant];

/**
 * Returns why a declaration that nothing refers to may do something nevertheless, by its file, its supertypes or its initial
 * value, as a clause.
 */
export function whyMore(scope: SymbolScope, symbol: SymbolNode): string | undefined {
  const { readByName, harmlessBases } = exposureIn(scope, symbol.file).exposure ?? {};
  const isRead = symbol.parent === undefined && readByName?.file.test(symbol.file) === true;
  if (isRead && readByName.text?.test(textBefore(scope, symbol)) !== false) return readByName.reader;
  if (harmlessBases !== undefined && isTypeKind(symbol.kind)) {
    const base = basesOf(scope, symbol).find((one) => !harmlessBases.test(one));
    if (base !== undefined) return `\`${base}\` may know what is derived from it`;
  }
  return mayHaveEffects(scope, symbol) ? 'its initial value may do something besides' : undefined;
}

/** True for a variable whose initial value may do something besides: `const server = app.listen(80)`. */
export function mayHaveEffects(scope: SymbolScope, symbol: SymbolNode): boolean {
  const { exposure } = exposureIn(scope, symbol.file);
  if (!variableKinds.includes(symbol.kind)) return false;
  return exposure?.mayHaveEffects?.(textBefore(scope, symbol), textAfter(scope, symbol)) === true;
}

/** Returns the types in parentheses behind the name of a type, without their arguments. */
function basesOf(scope: SymbolScope, symbol: SymbolNode): string[] {
  const list = /^\s*(?:\[[^\]]*\]\s*)?\(([^)]*)\)/.exec(textAfter(scope, symbol))?.[1] ?? '';
  const bases = list.replaceAll(/\[[^\]]*\]/g, '').split(',');
  return bases.map((one) => one.trim()).filter((one) => one !== '');
}

/** Returns the text behind the name of a declaration, at least to the end of the line. */
function textAfter({ files }: SymbolScope, { file, range, selectionRange }: SymbolNode): string {
  const { text, starts } = files.textOf(file);
  const from = offsetAt(text, starts, selectionRange.end) ?? text.length;
  const lineEnd = text.indexOf('\n', from);
  const end = offsetAt(text, starts, range.end) ?? from;
  return text.slice(from, Math.max(end, lineEnd === -1 ? text.length : lineEnd));
}
