import { ExpectedError } from '../../base/errors.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { firstAttachedLine } from '../../text/attached.ts';
import { implicitCaller } from '../../text/implicit-calls.ts';
import { overridingMark } from '../../text/overriding-mark.ts';
import { bodySpan } from '../model/body.ts';
import { namePathOf } from '../model/name-path.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { spanOf, startOfLine } from '../model/text-range.ts';
import { overlapsLines, problemsInTime } from '../queries/diagnostics.ts';
import { familyOf } from '../queries/family.ts';
import { describeMember, type Family, listed } from '../queries/family-members.ts';
import { type MemberDeclaration, overriddenWithMark } from './overridden-with-mark.ts';
import type { Target } from './target.ts';

const patienceMs = 10_000;

/**
 * Fails if calls of something else may run an unreferenced member: what it overrides or implements, also in libraries,
 * or the language itself. A written mark counts, unless the server reports it as wrong.
 *
 * @throws {ExpectedError} `edit.refused`
 */
export async function refuseOverriding(scope: SymbolScope, target: Target): Promise<void> {
  const declaration = declarationOf(scope, target);
  if (declaration === undefined) return;
  const { language, lines, offsets, first } = declaration;
  const { symbol } = target;
  const mark = symbol.parent && overridingMark(lines.text, offsets, { language, parent: symbol.parent.name });
  if (mark !== undefined) {
    const found = (await problemsInTime(scope, [symbol.file], { patienceMs })).get(symbol.file);
    const isWrong = found?.problems.some(
      ({ message, range }) => mark.absent.test(message) && overlapsLines(range, first, symbol.selectionRange.end.line),
    );
    if (isWrong === true) return;
    throw isCalled(
      symbol,
      `it overrides or implements a member of another type (\`${mark.written}\`), and calls of that member may run it`,
    );
  }
  const family = await familyOf(scope, { target: symbol, isUpward: true });
  const related = [...(family?.members ?? []), ...(family?.outside ?? [])].map(describeMember);
  const overridden = family === undefined ? await overriddenWithMark(scope, target, declaration) : related;
  if (overridden.length > 0)
    throw isCalled(symbol, `it overrides or implements ${listed(overridden)}, and calls of that may run it`);
  const caller = implicitCaller(language, symbol.name, lines.text.slice(offsets.nameEnd, offsets.end));
  if (caller !== undefined) throw isCalled(symbol, `members of this name are called by ${caller}`);
  if (family !== undefined) reportUnknown(scope, symbol, family);
}

/** Returns the declaration of a member of a type; `undefined` for other symbols. */
function declarationOf(scope: SymbolScope, { symbol, draft: { lines } }: Target): MemberDeclaration | undefined {
  const language = languageIdOf(scope.files.sources.requireServer(symbol.file).spec, symbol.file);
  const name = spanOf(lines, symbol.selectionRange);
  if ((symbol.parent ?? symbol.receiver) === undefined || language === undefined || name === undefined)
    return undefined;
  const own = bodySpan(symbol, lines);
  const { line } = symbol.range.start;
  const first = firstAttachedLine(lines, line, language);
  const start = first < line ? startOfLine(lines, first) : own.start;
  return { language, lines, offsets: { start, nameStart: name.start, nameEnd: name.end, end: own.end }, first };
}

function isCalled(symbol: SymbolNode, why: string): ExpectedError {
  return new ExpectedError(
    'edit.refused',
    `cannot delete \`${namePathOf(symbol)}\`: nothing refers to it by itself, but ${why}`,
    { hints: ['to delete it nevertheless, set `ignore_unresolved` to true'] },
  );
}

function reportUnknown(scope: SymbolScope, { name }: SymbolNode, { unknown, isPartial }: Family): void {
  const next = 'Read the declarations of the types above its own';
  const missing = `What \`${name}\` overrides may be unknown`;
  if (unknown.length > 0)
    scope.gaps.push({
      missing,
      reason: `the language server cannot resolve ${listed(unknown.map((one) => `\`${one}\``))}`,
      next,
    });
  if (isPartial) scope.gaps.push({ missing, reason: 'there are too many types to search all of them', next });
}
