import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { Edits } from '../../edits/edits.ts';
import type { CodeMatch } from '../../syntax/match-pattern.ts';
import { variablesIn } from '../../syntax/pattern-variables.ts';
import { lineAt } from '../../text/lines.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { findStructure } from '../queries/structure.ts';
import type { FileMatches, StructureQuery } from '../queries/structure-query.ts';
import { commitWatched, type EditScope } from './edit-problems.ts';
import type { FinishedEdit } from './finished-edit.ts';

/** A pattern, and the code that replaces what matches it. */
export interface RewriteRequest extends StructureQuery {
  /** Its variables stand for the same code as those of the pattern. */
  readonly rewrite: string;
}

/**
 * Replaces all code that matches a pattern, in one transaction. Of matches that contain others, the outer ones are
 * replaced.
 *
 * @throws {ExpectedError} `edit.no-match`; errors of {@link findStructure} and {@link Edits.commit}; `tool.invalid-input` for
 *   a variable that the pattern does not have. After an error nothing has changed.
 */
export async function rewriteStructure(scope: EditScope, edits: Edits, request: RewriteRequest): Promise<FinishedEdit> {
  requireKnownVariables(request);
  const found = await findStructure(scope, request);
  const places: [file: string, count: number][] = [];
  let nested = 0;
  for (const file of found) {
    const outer = outermost(file.matches);
    nested += file.matches.length - outer.length;
    places.push([file.file, outer.length]);
    replaceIn(edits, file, outer, request.rewrite);
  }
  const [first] = found;
  if (first === undefined) throw nothingFound(request);
  await commitWatched(scope, edits, first.file);
  return {
    done: `Replaced \`${request.pattern}\` by \`${request.rewrite}\``,
    places,
    also: [],
    open: [],
    mentions: [],
    notes:
      nested === 0 ? [] : [`${counted(nested, 'match', 'matches')} inside others stayed; repeat the call for them`],
  };
}

function requireKnownVariables({ pattern, rewrite }: RewriteRequest): void {
  const known = new Set(variablesIn(pattern).map(({ name }) => name));
  const unknown = variablesIn(rewrite).find(({ name }) => name === '' || name.startsWith('_') || !known.has(name));
  if (unknown === undefined) return;
  throw new ExpectedError(
    'tool.invalid-input',
    `the pattern does not keep \`${unknown.source}\`, which \`rewrite\` uses`,
    {
      hints: ['use variables of the pattern that have a name, such as `$A` or `$$$ARGS`'],
    },
  );
}

function nothingFound({ pattern }: RewriteRequest): ExpectedError {
  return new ExpectedError('edit.no-match', `no code matches \`${pattern}\`; nothing was changed`, {
    hints: [
      'call `search_structure` with a more general pattern',
      'pass the `language`, if the pattern is valid in several',
    ],
  });
}

/** Returns the matches that no other one contains. */
function outermost(matches: readonly CodeMatch[]): CodeMatch[] {
  const outer: CodeMatch[] = [];
  for (const match of matches) if (match.start >= (outer.at(-1)?.end ?? 0)) outer.push(match);
  return outer;
}

function replaceIn(edits: Edits, { file, text }: FileMatches, matches: readonly CodeMatch[], rewrite: string): void {
  const draft = edits.open(file);
  if (draft.text !== text.text)
    throw new ExpectedError('edit.conflict', `\`${file}\` changed while it was searched; nothing was changed`, {
      hints: ['repeat the call'],
    });
  for (const match of matches) draft.replace(match.start, match.matchedEnd, rewritten(text, match, rewrite));
}

/** Returns the code for a match, with the indentation of the match in all of its lines. */
function rewritten(text: TextLines, { start, bindings }: CodeMatch, rewrite: string): string {
  const own = indentationAt(text, start);
  let code = '';
  let reached = 0;
  for (const { source, name, at } of variablesIn(rewrite)) {
    code += rewrite.slice(reached, at).replaceAll('\n', `\n${own}`);
    reached = at + source.length;
    const bound = bindings.find((one) => one.name === name);
    if (bound === undefined) continue;
    const from = indentationAt(text, bound.start);
    const to = /(?:^|\n)([ \t]*)[^\n]*$/.exec(code)?.[1] ?? '';
    const target = code.includes('\n') ? to : own;
    code += text.text.slice(bound.start, bound.end).replaceAll(`\n${from}`, `\n${target}`);
  }
  return code + rewrite.slice(reached).replaceAll('\n', `\n${own}`);
}

/** Returns the white space at the beginning of the line of an offset. */
function indentationAt({ text, starts }: TextLines, offset: number): string {
  const start = starts[lineAt(starts, offset)] ?? 0;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}
