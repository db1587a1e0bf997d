import { ExpectedError } from '../../base/errors.ts';
import { languageIdOf } from '../../servers/catalog/spec.ts';
import { firstAttachedLine } from '../../text/attached.ts';
import { overridingMark } from '../../text/overriding-mark.ts';
import { bodySpan } from '../model/body.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import { spanOf, startOfLine } from '../model/text-range.ts';
import { overlapsLines, problemsInTime } from '../queries/diagnostics.ts';
import type { Target } from './target.ts';

const patienceMs = 10_000;

/**
 * Fails if the declaration of an unreferenced member is marked as overriding: calls of what it overrides, also in
 * libraries, run it. A mark that the server reports as wrong does not count.
 *
 * @throws {ExpectedError} `edit.refused`
 */
export async function refuseOverriding(scope: SymbolScope, { symbol, draft }: Target): Promise<void> {
  const { lines } = draft;
  const language = languageIdOf(scope.files.sources.requireServer(symbol.file).spec, symbol.file);
  const name = spanOf(lines, symbol.selectionRange);
  if (symbol.parent === undefined || language === undefined || name === undefined) return;
  const own = bodySpan(symbol, lines);
  const { line } = symbol.range.start;
  const first = firstAttachedLine(lines, line, language);
  const start = first < line ? startOfLine(lines, first) : own.start;
  const at = { start, nameStart: name.start, nameEnd: name.end, end: own.end };
  const mark = overridingMark(lines.text, at, { language, parent: symbol.parent.name });
  if (mark === undefined) return;
  const found = (await problemsInTime(scope, [symbol.file], { patienceMs })).get(symbol.file);
  const isWrong = found?.problems.some(
    ({ message, range }) => mark.absent.test(message) && overlapsLines(range, first, symbol.selectionRange.end.line),
  );
  if (isWrong) return;
  throw new ExpectedError(
    'edit.refused',
    `cannot delete \`${namePathOf(symbol)}\`: nothing refers to it by itself, but it overrides or implements a member of another type (\`${mark.written}\`), and calls of that member may run it`,
    { hints: ['to delete it nevertheless, set `ignore_unresolved` to true'] },
  );
}
