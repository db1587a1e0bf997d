import { ownValue } from '../base/own-value.ts';
import { identifierOccurrences } from './identifiers.ts';

/** How a language marks a declaration that overrides a member of a supertype, or implements one of a trait. */
interface MarkSyntax {
  /** The word that marks the declaration. */
  readonly word?: string;
  /** Matches the text that must precede the word and belongs to the mark. */
  readonly before?: RegExp;
  /** True if the word follows the name and its parameters. */
  readonly isBehind?: true;
  /** Matches the names of parents whose members all implement something. */
  readonly parent?: RegExp;
  /** Matches the compiler's message that the marked declaration overrides nothing. */
  readonly absent: RegExp;
  /** The mark as it is written, if a declaration without it may override a member as well. */
  readonly optional?: string;
}

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

const annotation = /@(?:\w+\.)*$/;

const syntaxes: Readonly<Record<string, MarkSyntax>> = {
  java: { word: 'Override', before: annotation, absent: /must override or implement/, optional: '@Override ' },
  groovy: { word: 'Override', before: annotation, absent: /must override or implement/ },
  ...sameIn(['kotlin', 'scala'], { word: 'override', absent: /overrides nothing/ }),
  csharp: { word: 'override', absent: /suitable \w+ found to override/ },
  swift: { word: 'override', absent: /does not override any/ },
  ...sameIn(['typescript', 'typescriptreact'], { word: 'override', absent: /cannot have an 'override' modifier/ }),
  ...sameIn(['cpp', 'objective-cpp', 'cuda'], {
    word: 'override',
    isBehind: true,
    optional: ' override ',
    absent: /only virtual member functions|does not override any/i,
  }),
  python: { word: 'override', before: annotation, absent: /marked as override, but no base/ },
  dart: { word: 'override', before: annotation, absent: /doesn't override/ },
  php: { word: 'Override', before: /#\[\\?$/, absent: /has #\[\\?Override\] attribute, but/ },
  rust: { parent: /^(?:unsafe )?impl\b.*\sfor\s/, absent: /is not a member of trait/ },
};

function sameIn(languages: readonly string[], syntax: MarkSyntax): Record<string, MarkSyntax> {
  return Object.fromEntries(languages.map((language) => [language, syntax]));
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
  const syntax = ownValue(syntaxes, language);
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
  const { word, optional, isBehind = false } = syntaxes[language] ?? {};
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
