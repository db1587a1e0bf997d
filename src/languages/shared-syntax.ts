/**
 * Syntax that several languages share: patterns of comments and strings, whole syntaxes made of them, and what may precede
 * a definition and belong to it.
 */
import type { AttachedSyntax, ExampleSyntax, ImplicitCall, LanguageProfile, Lexis } from './language-profile.ts';

export const slashes = String.raw`\/\/[^\n]*`;
export const slashStar = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;
export const hash = '#[^\\n]*';
export const dashes = '--[^\\n]*';
export const percent = '%[^\\n]*';
export const parenStar = String.raw`\(\*(?!\))[\s\S]*?(?:\*\)|$)`;
export const double = String.raw`"(?:\\[\s\S]|[^"\\\n])*"`;
export const single = String.raw`'(?:\\[\s\S]|[^'\\\n])*'`;
export const tripleDouble = String.raw`"""(?:\\[\s\S]|[^\\])*?(?:"""|$)`;
export const tripleSingle = String.raw`'''(?:\\[\s\S]|[^\\])*?(?:'''|$)`;
/** Requires the closing quote: a lone one is a lifetime, a type variable, a digit separator or a transposition. */
export const character = String.raw`(?<!\w)'(?:\\[^'\n]*|[^\\'\n])'`;

export const braces = /\{[^{}]*\}/g;
export const dollarHoles = /\$\{[^}]*\}?|\{\$[^}]*\}?|\$\([^)]*\)?|\$[\p{L}_][\p{L}\p{N}_]*/gu;
export const hashHoles = /#\{[^}]*\}?/g;

export const slashLexis: Lexis = { inert: [slashes, slashStar, double, character] };
export const hashLexis: Lexis = { inert: [hash, tripleDouble, double, single] };
export const dollarLexis: Lexis = {
  inert: [slashes, slashStar, character],
  templates: [tripleDouble, double],
  holes: dollarHoles,
};
export const dashLexis: Lexis = {
  inert: [dashes, String.raw`\{-[\s\S]*?(?:-\}|$)`, tripleDouble, double],
};

/** Names in many languages. */
export const word = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** A name with type parameters, parameters or a type: `Find<T>`, `add(int, int) : int`. */
export const signed = /^(?!operator\b)(?<name>[^\s<>()[\]:]+)(?=\s*[<(:])(?:<.*>)?(?:\s*\(.*\))?(?:\s*:\s.*)?$/s;

export const slashComments: AttachedSyntax = { line: /^\/\//, block: ['/*', '*/'] };
export const annotatedDefinitions: AttachedSyntax = { ...slashComments, annotation: /^@\w/ };
// Attributes of a whole assembly or file do not belong to a definition.
export const bracketedDefinitions: AttachedSyntax = { ...slashComments, annotation: /^\[(?!assembly:|module:)/ };
export const hashComments: AttachedSyntax = { line: /^#/ };
export const dashComments: AttachedSyntax = { line: /^--/, block: ['{-', '-}'] };
export const percentComments: AttachedSyntax = { line: /^%/ };
export const tagComments: AttachedSyntax = { block: ['<!--', '-->'] };

/** The lines of `@example` in a documentation comment. */
export const taggedExamples: ExampleSyntax = {
  begin: /^\s*\*\s*@example\b/,
  line: /^\s*\*(?!\/) ?/,
  end: /^\s*\*\s*@\w/,
};

/** What code of a pattern may stand in where all code is in classes. */
export const inClasses: NonNullable<LanguageProfile['patternContexts']> = [
  ['', ''],
  ['', ';'],
  ['class A { ', ' }'],
  ['class A { void a() { ', ' } }'],
  ['class A { void a() { var a = ', '; } }'],
];

/** Why a declaration in a file of a tool or framework may be used. */
export const readByTools = 'tools and frameworks read the names in such a file';

/** Members that code of libraries may call on an object whatever its type is. */
export function lookedFor(name: RegExp): ImplicitCall {
  return { name, caller: 'whatever gets the object, if it looks for that name' };
}
