import { languageIdOf, type ServerSpec } from '../../servers/catalog/spec.ts';
import type { SyntaxLanguage } from '../../syntax/languages.ts';

/** Syntax tables by LSP language id. */
const tables: Readonly<Record<string, SyntaxLanguage>> = {
  c: 'c',
  cpp: 'cpp',
  csharp: 'csharp',
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  javascriptreact: 'javascript',
  kotlin: 'kotlin',
  lua: 'lua',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
  scala: 'scala',
  shellscript: 'bash',
  typescript: 'typescript',
  typescriptreact: 'tsx',
};

/** Returns the language in which a file of a server can be parsed, or `undefined` if there is no table for it. */
export function syntaxLanguageOf(spec: ServerSpec, file: string): SyntaxLanguage | undefined {
  // Headers of C++ often have the extension of C, and its grammar reads both.
  if (file.endsWith('.h') && languageIdOf(spec, file) === 'c') return 'cpp';
  return tables[languageIdOf(spec, file) ?? ''];
}
