import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { implicitCall } from '../../text/definition-syntax.ts';
import { isOutside } from '../../text/place.ts';
import { kinds } from '../model/kinds.ts';
import { namePathOf } from '../model/name-path.ts';
import { notAllFound, type Overrides } from '../model/overrides.ts';
import type { SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';
import { spanOf } from '../model/text-range.ts';
import { describeMember, listed, outsideMember } from '../queries/outside-members.ts';
import { overridesOf } from '../queries/overrides.ts';
import type { Target } from './edited-symbol.ts';
import { requireNewName } from './require-new-name.ts';

/**
 * Returns the members to rename with one: those that it overrides or implements, and those that do so with it.
 *
 * @throws {ExpectedError} `edit.refused` if some of them are outside the project, may be unknown, or cannot have the
 *   name, and errors are a reason to refuse; `server.*`.
 */
export async function renamedOverrides(
  scope: SymbolScope,
  edits: Edits,
  { target, newName, mayBreak }: { target: Target; newName: string; mayBreak: boolean },
): Promise<readonly Target[]> {
  const overrides = await overridesOf(scope, { target: target.symbol, other: newName });
  if (!mayBreak) {
    if (overrides !== undefined) requireOwnOverrides(target.symbol, overrides, newName);
    refuseImplicitCalls(scope, target);
  }
  if (overrides === undefined) return [];
  const active = scope.files.sources.requireServer(target.symbol.file);
  const members = overrides.members.filter(({ file }) => scope.files.sources.serverOf(file) === active);
  const others = members.map((symbol) => ({ symbol, draft: edits.open(symbol.file) }));
  for (const other of others) await requireNewName(scope, other, { newName, mayCollide: mayBreak });
  reportUnknown(scope, overrides);
  return others;
}

function reportUnknown(scope: SymbolScope, { unknown }: Overrides): void {
  if (unknown.length === 0) return;
  scope.gaps.push({
    missing: 'Members that it overrides or implements may keep the old name',
    reason: `the language server cannot resolve ${listed(unknown.map((type) => `\`${type}\``))}`,
    next: 'Check these types',
  });
}

function refusal(symbol: SymbolNode, reason: string, hints: readonly string[] = []): ExpectedError {
  return new ExpectedError('edit.refused', `cannot rename \`${namePathOf(symbol)}\`: ${reason}`, {
    hints: [...hints, 'to rename it nevertheless, set `force` to true'],
  });
}

function refuseImplicitCalls(scope: SymbolScope, { symbol, draft: { lines } }: Target): void {
  if (symbol.parent?.kind === kinds.function) return;
  const isMember = (symbol.parent ?? symbol.receiver) !== undefined;
  const language = languageIdOf(scope.files.sources.requireServer(symbol.file).spec, symbol.file) ?? '';
  const behind = spanOf(lines, { start: symbol.selectionRange.end, end: symbol.range.end });
  const rest = behind ? lines.text.slice(behind.start, behind.end) : '';
  const called = implicitCall(language, { name: symbol.name, isMember }, rest);
  if (called !== undefined) throw refusal(symbol, called);
}

/**
 * Fails if a server renames a member of a library together with one of the project: rust-analyzer renames `Display::fmt` with
 * the `fmt` of each `impl Display`.
 *
 * @throws {ExpectedError} `edit.refused`.
 */
export async function requireOwnSteps(
  scope: SymbolScope,
  symbol: SymbolNode,
  steps: readonly WorkspaceStep[],
): Promise<void> {
  if (symbol.parent === undefined) return;
  const [outside] = steps.flatMap((step) =>
    step.do === 'edit' && isOutside(step) ? step.edits.map(({ range }) => ({ file: step.file, range })) : [],
  );
  if (outside === undefined) return;
  const member = describeMember(await outsideMember(scope, outside, symbol.name));
  throw new ExpectedError(
    'edit.refused',
    `cannot rename \`${namePathOf(symbol)}\`: it overrides or implements what is outside the project: ${member}`,
    { hints: ['keep the name: what is outside the project calls the member by it'] },
  );
}

function requireOwnOverrides(symbol: SymbolNode, overrides: Overrides, newName: string): void {
  const { outside, implementedOutside, colliding, isPartial } = overrides;
  if (outside.length > 0) {
    const named = listed(outside.map(describeMember));
    throw refusal(
      symbol,
      `it or a member that gets the name with it overrides or implements what is outside the project: ${named}`,
    );
  }
  if (implementedOutside.length > 0) {
    const named = listed(implementedOutside.map(describeMember));
    throw refusal(symbol, `types outside the project implement it, and would do so no more: ${named}`);
  }
  if (isPartial) throw refusal(symbol, notAllFound, ['raise `tool_timeout`']);
  if (colliding.length > 0) {
    const named = listed(colliding.map(describeMember));
    throw refusal(
      symbol,
      `types above or below its own already have \`${newName}\`, and one would override the other: ${named}`,
    );
  }
}
