/**
 * Syntax of comments and strings in a language. Each part is the source of a regular expression.
 *
 * A mistake must never hide code: a quote that is not closed on its line does not begin a string, and text that no
 * pattern matches counts as code.
 */
export interface Lexis {
  /** Comments, and strings whose content is never code. */
  readonly inert: readonly string[];
  /** Strings that may contain code. */
  readonly templates?: readonly string[];
  /** The code inside a template, with its delimiters. */
  readonly holes?: RegExp;
  /** True if a variable assigned in a function is visible outside it unless it is declared local. */
  readonly leaksLocals?: boolean;
  /** True if `{ name }` may be a use of a member and a declaration of a variable at once, or the other way round. */
  readonly hasMemberPatterns?: boolean;
  /** True if Unicode escapes (`\u0041`) may stand for any character of the code, also for a quote. */
  readonly hasUnicodeEscapes?: boolean;
}

const slashes = String.raw`\/\/[^\n]*`;
const slashStar = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;
const hash = '#[^\\n]*';
const dashes = '--[^\\n]*';
const percent = '%[^\\n]*';
const semicolon = ';[^\\n]*';
const parenStar = String.raw`\(\*(?!\))[\s\S]*?(?:\*\)|$)`;
const double = String.raw`"(?:\\[\s\S]|[^"\\\n])*"`;
const single = String.raw`'(?:\\[\s\S]|[^'\\\n])*'`;
/** Not after a word character, because text between JSX tags contains apostrophes. */
const singleApart = `(?<!\\w)${single}`;
const tripleDouble = String.raw`"""(?:\\[\s\S]|[^\\])*?(?:"""|$)`;
const tripleSingle = String.raw`'''(?:\\[\s\S]|[^\\])*?(?:'''|$)`;
const backtick = '`(?:\\\\[\\s\\S]|[^`\\\\])*`?';
/** Requires the closing quote: a lone one is a lifetime, a type variable, a digit separator or a transposition. */
const character = String.raw`(?<!\w)'(?:\\[^'\n]*|[^\\'\n])'`;
/** Matched only where a division is impossible. */
const regexLiteral = String.raw`(?<=(?:^|[=(,:;!&|?{}[\n]|\breturn)[ \t]*)\/(?![/*])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\\n[])+\/`;
const pythonPrefix = String.raw`(?<!\w)(?:[bBuU][rR]?|[rR][bB]?)?`;
const pythonTemplate = String.raw`(?<!\w)(?:[fFtT][rR]?|[rR][fFtT])`;
const include = String.raw`(?<=^|\n)[ \t]*#[ \t]*(?:include|import|error|warning|pragma)\b[^\n]*`;

const braces = /\{[^{}]*\}/g;
const dollarHoles = /\$\{[^}]*\}?|\{\$[^}]*\}?|\$\([^)]*\)?|\$[\p{L}_][\p{L}\p{N}_]*/gu;
const hashHoles = /#\{[^}]*\}?/g;
const slashHoles = /\\\([^)]*\)?/g;

const cLike: Lexis = { inert: [slashes, slashStar, double, character] };
const c: Lexis = {
  inert: [include, slashes, slashStar, String.raw`R"(?<mark>[^\s()\\]{0,16})\([\s\S]*?\)\k<mark>"`, double, character],
};
const javaScript: Lexis = {
  inert: [slashes, slashStar, regexLiteral, double, singleApart],
  templates: [backtick],
  holes: dollarHoles,
  hasMemberPatterns: true,
};
const python: Lexis = {
  inert: [hash, ...[tripleDouble, tripleSingle, double, single].map((one) => pythonPrefix + one)],
  templates: [tripleDouble, tripleSingle, double, single].map((one) => pythonTemplate + one),
  holes: braces,
};
const hashed: Lexis = { inert: [hash, tripleDouble, double, single] };
const dollared: Lexis = {
  inert: [slashes, slashStar, character],
  templates: [tripleDouble, double],
  holes: dollarHoles,
};
const lisp: Lexis = { inert: [semicolon, double] };
const functional: Lexis = { inert: [dashes, String.raw`\{-[\s\S]*?(?:-\}|$)`, tripleDouble, double] };

const families: readonly (readonly [Lexis, readonly string[]])[] = [
  [c, ['c', 'cpp', 'objective-c', 'objective-cpp', 'cuda', 'hip', 'opencl', 'msl', 'hlsl', 'glsl']],
  [cLike, ['solidity', 'wgsl', 'verilog', 'systemverilog', 'al', 'haxe', 'qml', 'rego', 'gleam']],
  [{ inert: [slashes, slashStar, tripleDouble, double, character], hasUnicodeEscapes: true }, ['java']],
  [{ inert: [slashes, slashStar, tripleDouble, double, character] }, ['reason']],
  [{ inert: [slashes, slashStar, '`[^`]*`?', double, character] }, ['go', 'cue']],
  [
    {
      inert: [slashes, slashStar, String.raw`\br(?<mark>#*)"[\s\S]*?"\k<mark>`, double, character],
      hasMemberPatterns: true,
    },
    ['rust'],
  ],
  [{ inert: [slashes, String.raw`\\\\[^\n]*`, double, character] }, ['zig']],
  [javaScript, ['javascript', 'javascriptreact', 'typescript', 'typescriptreact']],
  [python, ['python']],
  [hashed, ['gdscript', 'r', 'rmd', 'rnoweb']],
  [dollared, ['kotlin', 'scala', 'groovy', 'nextflow']],
  [{ ...dollared, templates: [tripleDouble, tripleSingle, double, single] }, ['dart']],
  [{ inert: [slashes, slashStar], templates: [tripleDouble, double], holes: slashHoles }, ['swift']],
  [{ inert: [slashes, slashStar], templates: [tripleDouble, double], holes: dollarHoles }, ['typespec']],
  [{ inert: [slashes, double] }, ['prisma']],
  [{ inert: [slashes, slashStar, double, single] }, ['proto']],
  // Strings of BSL escape nothing but quotes; a further line of one begins with `|`.
  [{ inert: [slashes, String.raw`"(?:""|\r?\n[ \t]*\||[^"\r\n])*"`, String.raw`'[^'\n]*'`] }, ['bsl']],
  [
    {
      inert: [slashes, slashStar, `@"(?:""|[^"])*"?`, character],
      templates: [tripleDouble, String.raw`\$@?${double}`, double],
      holes: braces,
    },
    ['csharp'],
  ],
  [{ inert: [slashes, parenStar, tripleDouble, double, character] }, ['fsharp']],
  [
    { inert: [slashes, slashStar, String.raw`#(?!\[)[^\n]*`, single], templates: [double], holes: dollarHoles },
    ['php'],
  ],
  [{ inert: [hash, single], templates: [double], holes: hashHoles }, ['ruby', 'crystal']],
  [{ inert: [hash, single], templates: [tripleDouble, double], holes: hashHoles }, ['elixir']],
  [
    {
      inert: [String.raw`(?<![\w$\\{])#[^\n]*`, `'[^']*'?`],
      templates: [String.raw`"(?:\\[\s\S]|[^"\\])*"?`],
      holes: dollarHoles,
      leaksLocals: true,
    },
    ['shellscript'],
  ],
  [
    {
      inert: [String.raw`<#[\s\S]*?(?:#>|$)`, hash, `'[^'\\n]*'?`],
      templates: ['"(?:`[\\s\\S]|[^"`])*"?'],
      holes: dollarHoles,
      leaksLocals: true,
    },
    ['powershell'],
  ],
  [
    {
      inert: [String.raw`(?<![\$\\])#[^\n]*`, single],
      templates: [double],
      holes: /[$@]\{?[\p{L}_:][\p{L}\p{N}_:]*/gu,
      leaksLocals: true,
    },
    ['perl'],
  ],
  [
    { inert: [String.raw`#=[\s\S]*?(?:=#|$)`, hash, character], templates: [tripleDouble, double], holes: dollarHoles },
    ['julia'],
  ],
  [
    {
      inert: [
        String.raw`--\[(?<mark>=*)\[[\s\S]*?(?:\]\k<mark>\]|$)`,
        dashes,
        double,
        single,
        String.raw`\[\[[\s\S]*?(?:\]\]|$)`,
      ],
      leaksLocals: true,
    },
    ['lua', 'luau'],
  ],
  [functional, ['haskell', 'elm', 'lean4']],
  [{ inert: [parenStar, double] }, ['ocaml', 'wolfram']],
  [{ inert: [slashes, String.raw`\{[^}]*\}?`, parenStar, `'[^'\\n]*'?`] }, ['pascal']],
  [{ inert: [dashes, double] }, ['ada']],
  [{ inert: [dashes, slashStar, double, character] }, ['vhdl']],
  [
    {
      inert: [hash],
      templates: [String.raw`m(?<mark>%+)"[\s\S]*?(?:"\k<mark>|$)`, double],
      holes: /%+\{[^}]*\}?/g,
    },
    ['nickel'],
  ],
  [{ inert: ['![^\\n]*', double, single] }, ['fortran']],
  [{ inert: [percent, double] }, ['erlang']],
  [{ inert: [percent, double], leaksLocals: true }, ['matlab']],
  [lisp, ['clojure']],
  [{ inert: [hash, slashStar], templates: [double, `''[\\s\\S]*?(?:''|$)`], holes: dollarHoles }, ['nix']],
];

const byLanguage = new Map(families.flatMap(([lexis, languages]) => languages.map((id) => [id, lexis] as const)));

/** Returns the syntax of a language by its LSP id; `undefined` for markup, data formats and unknown languages. */
export function lexisOf(language: string): Lexis | undefined {
  return byLanguage.get(language);
}
