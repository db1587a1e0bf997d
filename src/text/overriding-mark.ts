import { profileOf } from '../languages/profiles.ts';
import { identifierOccurrences } from './identifiers.ts';

/** A mark at a declaration. */
interface OverridingMark {
  readonly written: string;
  /** Matches the compiler's message that the declaration overrides nothing. */
  readonly absent: RegExp;
}

/** Offsets of a declaration in its text; `start` is that of the first annotation or modifier. */
interface DeclarationOffsets {
  readonly start: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly end: number;
}

/**
 * Returns what marks a declaration as overriding or implementing a member of another type; `undefined` if nothing does,
 * and in languages without such marks. `language` is an LSP id, `parent` the name of the symbol around it.
 */
export function overridingMark(
  text: string,
  { start, nameStart, nameEnd, end }: DeclarationOffsets,
  { language, parent }: { readonly language: string; readonly parent: string | undefined },
): OverridingMark | undefined {
  const syntax = profileOf(language)?.overriding;
  if (syntax === undefined) return undefined;
  const { word, before, isBehind, absent } = syntax;
  if (parent !== undefined && syntax.parent?.test(parent)) return { written: parent, absent };
  if (word === undefined) return undefined;
  const head = isBehind ? text.slice(nameEnd, endOfHead(text, nameEnd, end)) : text.slice(start, nameStart);
  for (const { offset } of identifierOccurrences(head, { name: word }, language)) {
    const prefix = before === undefined ? '' : before.exec(head.slice(0, offset))?.[0];
    if (prefix !== undefined) return { written: `${prefix}${word}${prefix.startsWith('#[') ? ']' : ''}`, absent };
  }
  return undefined;
}

/**
 * Returns a text with the mark that a declaration may have and lacks, and the offset of the mark's word; `undefined` in
 * languages in which the mark is never written or always.
 */
export function withOverridingMark(
  text: string,
  { start, nameEnd, end }: DeclarationOffsets,
  language: string,
): { readonly text: string; readonly wordAt: number; readonly isBehind: boolean } | undefined {
  const { word, optional, isBehind = false } = profileOf(language)?.overriding ?? {};
  if (word === undefined || optional === undefined) return undefined;
  const head = isBehind ? endOfHead(text, nameEnd, end) : start;
  // `= 0` and `= default` follow the mark.
  const assigned = isBehind ? text.slice(nameEnd, head).search(/=\s*(?:0|default|delete)\s*$/) : -1;
  const at = assigned < 0 ? head : nameEnd + assigned;
  return { text: text.slice(0, at) + optional + text.slice(at), wordAt: at + optional.indexOf(word), isBehind };
}

/** Returns the offset of the body or of the end of a declaration, after its parameters. */
function endOfHead(text: string, from: number, end: number): number {
  let depth = 0;
  for (let at = from; at < end; at++) {
    const character = text[at] ?? '';
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (depth === 0 && /[{;]/.test(character)) return at;
  }
  return end;
}
