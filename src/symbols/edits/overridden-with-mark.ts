import { requestDefinition } from '../../lsp/features/locations.ts';
import { withOverridingMark } from '../../text/overriding-mark.ts';
import { placeAt } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { kinds } from '../model/kinds.ts';
import type { SymbolScope } from '../model/scope.ts';
import { describeMember, outsideMember } from '../queries/family-members.ts';
import { typesInHeader } from '../queries/types-in-header.ts';
import { tryEdits } from './edit-trial.ts';
import type { Target } from './target.ts';

/** A declaration of a member, with its decorators and modifiers. */
export interface MemberDeclaration {
  readonly language: string;
  readonly lines: TextLines;
  readonly offsets: {
    readonly start: number;
    readonly nameStart: number;
    readonly nameEnd: number;
    readonly end: number;
  };
  /** Its first line. */
  readonly first: number;
}

/**
 * Returns what a method overrides without saying so, for a message: the server receives the text with the mark for that
 * time, and follows the mark, or accepts or refuses it. Empty if the method overrides nothing, and in other languages.
 * A server that does not answer in time becomes a gap.
 *
 * @throws {ExpectedError} `server.*`.
 */
export async function overriddenWithMark(
  scope: SymbolScope,
  { symbol, draft }: Target,
  { language, lines, offsets }: MemberDeclaration,
): Promise<readonly string[]> {
  const { file, parent } = symbol;
  const isMethod = symbol.kind === kinds.method && parent !== undefined;
  const marked = isMethod ? withOverridingMark(lines.text, offsets, language) : undefined;
  if (marked === undefined || parent === undefined || draft.edited() !== lines.text) return [];
  const supertypes = typesInHeader(scope, parent).map(({ name }) => `\`${name}\``);
  const active = scope.files.sources.requireServer(file);
  const texts = new Map([[file, marked.text]]);
  if (!marked.isBehind) {
    const { errors, unchecked } = await tryEdits(scope, { active, texts, files: [file] });
    if (unchecked.length > 0) reportUnchecked(scope, symbol.name);
    if (errors.length + unchecked.length > 0) return [];
    return [`a member of a type above its own${supertypes.length > 0 ? `, such as ${supertypes.join(', ')}` : ''}`];
  }
  // Only a class with a base class can override something.
  if (supertypes.length === 0) return [];
  const position = positionAt(marked.text, textLines(marked.text).starts, marked.wordAt);
  const found = await scope.files.tryTexts(active, scope.call, texts, () =>
    scope.files.ask(active, scope.call, async (server) => {
      await scope.files.show(server, file, scope.call);
      return (await requestDefinition(server, placeAt(file, position), scope.files.limits(scope.call))).locations;
    }),
  );
  // A mark that is wrong leads to the method itself.
  const { line } = symbol.selectionRange.start;
  const others = found.filter((place) => place.file !== file || place.range.start.line !== line);
  const members = await Promise.all(others.map((location) => outsideMember(scope, location, symbol.name)));
  return members.map(describeMember);
}

function reportUnchecked({ gaps }: SymbolScope, name: string): void {
  gaps.push({
    missing: `What \`${name}\` overrides may be unknown`,
    reason: 'the language server did not check it in time',
    next: 'Retry in a while',
  });
}
