import type { SyntaxLanguage } from '../../languages/profiles.ts';
import type { SourceFiles } from '../../servers/assignment/source-files.ts';
import { languageIdOf, type ServerSpec } from '../../servers/spec.ts';

/** Syntax tables by LSP language id. */
const tables: Readonly<Record<string, SyntaxLanguage>> = {
  c: 'c',
  clojure: 'clojure',
  cpp: 'cpp',
  csharp: 'csharp',
  css: 'css',
  dart: 'dart',
  elixir: 'elixir',
  elm: 'elm',
  fsharp: 'fsharp',
  gdscript: 'gdscript',
  gleam: 'gleam',
  go: 'go',
  haskell: 'haskell',
  html: 'html',
  java: 'java',
  javascript: 'javascript',
  javascriptreact: 'javascript',
  json: 'json',
  jsonc: 'json',
  julia: 'julia',
  kotlin: 'kotlin',
  latex: 'latex',
  lua: 'lua',
  markdown: 'markdown',
  nix: 'nix',
  ocaml: 'ocaml',
  'ocaml.interface': 'ocamlInterface',
  perl: 'perl',
  php: 'php',
  powershell: 'powershell',
  python: 'python',
  r: 'r',
  ruby: 'ruby',
  rust: 'rust',
  scala: 'scala',
  scss: 'scss',
  shellscript: 'bash',
  swift: 'swift',
  terraform: 'terraform',
  'terraform-vars': 'terraform',
  toml: 'toml',
  typescript: 'typescript',
  typescriptreact: 'tsx',
  yaml: 'yaml',
  zig: 'zig',
};

/** Languages whose ranges were compared with those of the server and agree; the test has the figures. */
const languagesWithServerRanges: readonly SyntaxLanguage[] = ['go', 'python', 'rust', 'tsx', 'typescript'];

/** True if symbols can be edited by the ranges of their syntax trees; see `test/syntax/agreement.test.ts`. */
export function hasServerRanges(language: SyntaxLanguage): boolean {
  return languagesWithServerRanges.includes(language);
}

/** Returns the language in which a file of a server can be parsed, or `undefined` if there is no table for it. */
export function syntaxLanguageOf(spec: ServerSpec, file: string): SyntaxLanguage | undefined {
  // Headers of C++ often have the extension of C, and its grammar reads both.
  if (/\.h$/i.test(file) && languageIdOf(spec, file) === 'c') return 'cpp';
  // Signatures of F# have a grammar of their own.
  if (/\.fsi$/i.test(file)) return undefined;
  return tables[languageIdOf(spec, file) ?? ''];
}

/**
 * Returns the language in which a project-relative file can be parsed, whether or not the project has a server for it;
 * `undefined` if there is no table for it.
 */
export function parsedLanguageOf(sources: SourceFiles, file: string): SyntaxLanguage | undefined {
  const active = sources.serverOf(file);
  if (active) return syntaxLanguageOf(active.spec, file);
  const specs = sources.catalog.servers.filter((spec) => languageIdOf(spec, file) !== undefined);
  return specs.map((spec) => syntaxLanguageOf(spec, file)).find((language) => language !== undefined);
}
