import type { TextLines } from './text-lines.ts';

/** What may stand above a definition and belong to it, in one family of languages. */
interface AboveDefinitions {
  /** A line that is a comment. */
  readonly line?: RegExp;
  /** The marks of comments of several lines. */
  readonly block?: readonly [begin: string, end: string];
  /** How a decorator, an annotation or an attribute begins. */
  readonly mark?: RegExp;
}

const slashes: AboveDefinitions = { line: /^\/\//, block: ['/*', '*/'] };
const annotated: AboveDefinitions = { ...slashes, mark: /^@\w/ };
// Attributes of a whole assembly or file are no definition's.
const bracketed: AboveDefinitions = { ...slashes, mark: /^\[(?!assembly:|module:)/ };
const hash: AboveDefinitions = { line: /^#/ };
const dashes: AboveDefinitions = { line: /^--/, block: ['{-', '-}'] };
const percent: AboveDefinitions = { line: /^%/ };
const tags: AboveDefinitions = { block: ['<!--', '-->'] };

/** By the language ids of LSP; nothing is attached in others. */
const families: Readonly<Record<string, AboveDefinitions>> = {
  ...familyOf(
    slashes,
    'go',
    'zig',
    'solidity',
    'scss',
    'sass',
    'less',
    'css',
    'json',
    'jsonc',
    'cue',
    'qml',
    'hlsl',
    'glsl',
    'wgsl',
    'msl',
  ),
  ...familyOf(slashes, 'systemverilog', 'verilog', 'gleam', 'al', 'bsl', 'pascal', 'haxe'),
  ...familyOf(annotated, 'typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'vue', 'svelte'),
  ...familyOf(annotated, 'java', 'kotlin', 'scala', 'groovy', 'nextflow', 'dart', 'swift'),
  ...familyOf(
    { ...slashes, mark: /^\[\[|^@\w|^template\b/ },
    'c',
    'cpp',
    'objective-c',
    'objective-cpp',
    'cuda',
    'hip',
  ),
  rust: { ...slashes, mark: /^#\[/ },
  php: { line: /^(?:\/\/|#(?!\[))/, block: ['/*', '*/'], mark: /^#\[/ },
  csharp: bracketed,
  fsharp: { ...bracketed, block: ['(*', '*)'] },
  ...familyOf(
    hash,
    'shellscript',
    'ruby',
    'perl',
    'r',
    'nix',
    'yaml',
    'toml',
    'dockerfile',
    'rego',
    'crystal',
    'julia',
  ),
  python: { ...hash, mark: /^@\w/ },
  gdscript: { ...hash, mark: /^@\w/ },
  elixir: { ...hash, mark: /^@\w/ },
  powershell: { ...hash, block: ['<#', '#>'], mark: /^\[/ },
  ...familyOf({ line: /^(?:#|\/\/)/, block: ['/*', '*/'] }, 'terraform', 'terraform-vars'),
  ...familyOf(dashes, 'haskell', 'elm'),
  ...familyOf({ line: /^--/ }, 'lua', 'luau', 'ada', 'sql'),
  lean4: { line: /^--/, block: ['/-', '-/'], mark: /^@\[/ },
  clojure: { line: /^;/ },
  ...familyOf(percent, 'erlang', 'latex', 'matlab'),
  ocaml: { block: ['(*', '*)'] },
  fortran: { line: /^!/ },
  ...familyOf(tags, 'html', 'markdown'),
};

function familyOf(above: AboveDefinitions, ...ids: readonly string[]): Record<string, AboveDefinitions> {
  return Object.fromEntries(ids.map((id) => [id, above]));
}

/** An attribute of more lines is none: something before it is not closed. */
const maxLinesOfOne = 100;

/** What speaks of the whole file stays where it is: a shebang, the encoding that Python reads. */
const ofWholeFile = /^(?:#!|#.*\bcoding[:=])/;

/**
 * Returns the first of the lines above `line` that belong to the definition which begins there: its comments, decorators and
 * attributes, as the language (an id of LSP) writes them, with no empty line between. `line` itself if there are none.
 */
export function firstAttachedLine(lines: TextLines, line: number, languageId: string): number {
  const above = families[languageId];
  if (above === undefined) return line;
  const textOf = (at: number) => lineAt(lines, at);
  const indent = /^[ \t]*/.exec(textOf(line))?.[0] ?? '';
  for (let first = line; ; ) {
    const start = startOfAttached(above, first - 1, textOf);
    if (start === undefined || /^[ \t]*/.exec(textOf(start))?.[0] !== indent) return first;
    first = start;
  }
}

/** Returns the line where a comment, a decorator or an attribute begins that ends in `last`, or `undefined`. */
function startOfAttached(
  { line, block, mark }: AboveDefinitions,
  last: number,
  textOf: (at: number) => string,
): number | undefined {
  const text = last < 0 ? '' : textOf(last).trim();
  if (text === '' || (last < 2 && ofWholeFile.test(text))) return undefined;
  if (line?.test(text)) return last;
  if (block !== undefined && text.endsWith(block[1])) return startOfBlock(block, last, textOf);
  return mark === undefined ? undefined : startOfMark(mark, last, textOf);
}

function startOfBlock(
  [begin]: readonly [string, string],
  last: number,
  textOf: (at: number) => string,
): number | undefined {
  for (let at = last; at >= 0; at--) {
    const text = textOf(at);
    // Behind code on its line it is about that.
    if (text.includes(begin)) return text.trim().startsWith(begin) ? at : undefined;
  }
  return undefined;
}

/** Goes up to where the brackets are balanced, or, for a text of several lines, to the line that opens it. */
function startOfMark(mark: RegExp, last: number, textOf: (at: number) => string): number | undefined {
  const isText = textOf(last).trim() === '"""';
  let open = 0;
  for (let at = last; at >= Math.max(0, last - maxLinesOfOne); at--) {
    const text = textOf(at).trim();
    open += text.replace(/[^)\]}]/g, '').length - text.replace(/[^([{]/g, '').length;
    const isStart = isText ? at < last && text.endsWith('"""') : open <= 0;
    if (isStart) return open <= 0 && mark.test(text) && (at < last || !/[;{]$/.test(text)) ? at : undefined;
    if (text === '' && !isText) return undefined;
  }
  return undefined;
}

function lineAt({ text, starts }: TextLines, line: number): string {
  return text.slice(starts[line] ?? text.length, starts[line + 1] ?? text.length).replace(/^\ufeff|[\r\n]+$/g, '');
}
