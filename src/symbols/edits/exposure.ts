import type { Exposure } from '../../languages/language-profile.ts';
import { profileOf } from '../../languages/profiles.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { firstAttachedLine } from '../../text/definition-syntax.ts';
import { offsetAt } from '../../text/position.ts';
import { isTest } from '../model/is-test.ts';
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
  const comment = profileOf(language)?.attached?.line;
  const text = lines.text.slice(start, end).split('\n');
  return text
    .filter((line) => comment?.test(line.trim()) !== true || exposure?.directive?.test(line) === true)
    .join('\n');
}
