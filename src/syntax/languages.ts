import type { LanguageTable } from './language-table.ts';
import { bash } from './languages/bash.ts';
import { c } from './languages/c.ts';
import { cpp } from './languages/cpp.ts';
import { csharp } from './languages/csharp.ts';
import { go } from './languages/go.ts';
import { java } from './languages/java.ts';
import { javascript } from './languages/javascript.ts';
import { kotlin } from './languages/kotlin.ts';
import { lua } from './languages/lua.ts';
import { php } from './languages/php.ts';
import { python } from './languages/python.ts';
import { ruby } from './languages/ruby.ts';
import { rust } from './languages/rust.ts';
import { scala } from './languages/scala.ts';
import { tsx } from './languages/tsx.ts';
import { typescript } from './languages/typescript.ts';

/** Tables by language. */
export const languages = {
  bash,
  c,
  cpp,
  csharp,
  go,
  java,
  javascript,
  kotlin,
  lua,
  php,
  python,
  ruby,
  rust,
  scala,
  tsx,
  typescript,
} as const satisfies Readonly<Record<string, LanguageTable>>;

/** A language with a table and a grammar. */
export type SyntaxLanguage = keyof typeof languages;
