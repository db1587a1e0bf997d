import { ownValue } from '../base/own-value.ts';
import type { TextLines } from './text-lines.ts';

/** Syntax that may precede a definition and belong to it, in one family of languages. */
interface AboveDefinitions {
  /** Matches a line that is a comment. */
  readonly line?: RegExp;
  /** The delimiters of block comments. */
  readonly block?: readonly [begin: string, end: string];
  /** Matches the beginning of a decorator, an annotation or an attribute. */
  readonly annotation?: RegExp;
}

const slashes: AboveDefinitions = { line: /^\/\//, block: ['/*', '*/'] };
const annotated: AboveDefinitions = { ...slashes, annotation: /^@\w/ };
// Attributes of a whole assembly or file do not belong to a definition.
const bracketed: AboveDefinitions = { ...slashes, annotation: /^\[(?!assembly:|module:)/ };
const hash: AboveDefinitions = { line: /^#/ };
const dashes: AboveDefinitions = { line: /^--/, block: ['{-', '-}'] };
const percent: AboveDefinitions = { line: /^%/ };
const tags: AboveDefinitions = { block: ['<!--', '-->'] };

/** Syntax by LSP language id. In other languages nothing counts as attached. */
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
  ...familyOf(slashes, 'systemverilog', 'verilog', 'gleam', 'al', 'bsl', 'pascal', 'haxe', 'prisma', 'proto', 'mdx'),
  ...familyOf(annotated, 'typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'vue', 'svelte', 'astro'),
  ...familyOf(annotated, 'java', 'kotlin', 'scala', 'groovy', 'nextflow', 'dart', 'swift', 'typespec'),
  ...familyOf(
    { ...slashes, annotation: /^\[\[|^@\w|^template\b/ },
    'c',
    'cpp',
    'objective-c',
    'objective-cpp',
    'cuda',
    'hip',
  ),
  rust: { ...slashes, annotation: /^#\[/ },
  php: { line: /^(?:\/\/|#(?!\[))/, block: ['/*', '*/'], annotation: /^#\[/ },
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
    'nickel',
    'crystal',
    'julia',
  ),
  python: { ...hash, annotation: /^@\w/ },
  gdscript: { ...hash, annotation: /^@\w/ },
  elixir: { ...hash, annotation: /^@\w/ },
  powershell: { ...hash, block: ['<#', '#>'], annotation: /^\[/ },
  ...familyOf({ line: /^(?:#|\/\/)/, block: ['/*', '*/'] }, 'terraform', 'terraform-vars'),
  ...familyOf(dashes, 'haskell', 'elm'),
  ...familyOf({ line: /^--/ }, 'lua', 'luau', 'ada', 'sql', 'vhdl'),
  lean4: { line: /^--/, block: ['/-', '-/'], annotation: /^@\[/ },
  clojure: { line: /^;/ },
  ...familyOf(percent, 'erlang', 'latex', 'matlab'),
  ocaml: { block: ['(*', '*)'] },
  fortran: { line: /^!/ },
  vim: { line: /^"/ },
  ...familyOf(tags, 'html', 'markdown'),
};

function familyOf(above: AboveDefinitions, ...ids: readonly string[]): Record<string, AboveDefinitions> {
  return Object.fromEntries(ids.map((id) => [id, above]));
}

/** A longer attribute is not one: rather, an earlier bracket is not closed. */
const maxAnnotationLines = 100;

/** Comments that belong to the whole file: a shebang, Python's encoding declaration. */
const ofWholeFile = /^(?:#!|#.*\bcoding[:=])/;

/**
 * Returns the first of the lines that belong to the definition at `line`: its comments, decorators and attributes
 * directly above it, without an empty line in between, in the syntax of the language (an LSP id). `line` itself if
 * there are none.
 */
export function firstAttachedLine(lines: TextLines, line: number, languageId: string): number {
  const above = ownValue(families, languageId);
  if (above === undefined) return line;
  const textOf = (at: number) => lineAt(lines, at);
  const indent = /^[ \t]*/.exec(textOf(line))?.[0] ?? '';
  for (let first = line; ; ) {
    const start = startOfAttached(above, first - 1, textOf);
    if (start === undefined || /^[ \t]*/.exec(textOf(start))?.[0] !== indent) return first;
    first = start;
  }
}

/** Returns the first line of the comment, decorator or attribute that ends on line `last`, or `undefined`. */
function startOfAttached(
  { line, block, annotation }: AboveDefinitions,
  last: number,
  textOf: (at: number) => string,
): number | undefined {
  const text = last < 0 ? '' : textOf(last).trim();
  if (text === '' || (last < 2 && ofWholeFile.test(text))) return undefined;
  if (line?.test(text)) return last;
  if (block !== undefined && text.endsWith(block[1])) return startOfBlock(block, last, textOf);
  return annotation === undefined ? undefined : startOfAnnotation(annotation, last, textOf);
}

function startOfBlock(
  [begin]: readonly [string, string],
  last: number,
  textOf: (at: number) => string,
): number | undefined {
  for (let at = last; at >= 0; at--) {
    const text = textOf(at);
    // A comment after code on the same line belongs to that code.
    if (text.includes(begin)) return text.trim().startsWith(begin) ? at : undefined;
  }
  return undefined;
}

/**
 * Searches upwards for the line where brackets are balanced or, for a multi-line string, for the line that opens it.
 */
function startOfAnnotation(annotation: RegExp, last: number, textOf: (at: number) => string): number | undefined {
  const isText = textOf(last).trim() === '"""';
  let open = 0;
  for (let at = last; at >= Math.max(0, last - maxAnnotationLines); at--) {
    const text = textOf(at).trim();
    open += text.replace(/[^)\]}]/g, '').length - text.replace(/[^([{]/g, '').length;
    const isStart = isText ? at < last && text.endsWith('"""') : open <= 0;
    if (isStart) return open <= 0 && annotation.test(text) && (at < last || !/[;{]$/.test(text)) ? at : undefined;
    if (text === '' && !isText) return undefined;
  }
  return undefined;
}

function lineAt({ text, starts }: TextLines, line: number): string {
  return text.slice(starts[line] ?? text.length, starts[line + 1] ?? text.length).replace(/^\ufeff|[\r\n]+$/g, '');
}
