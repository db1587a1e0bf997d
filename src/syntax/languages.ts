import type { LanguageTable } from './language-table.ts';
import { go } from './languages/go.ts';
import { javascript } from './languages/javascript.ts';
import { python } from './languages/python.ts';
import { tsx } from './languages/tsx.ts';
import { typescript } from './languages/typescript.ts';

/** Tables by language. */
export const languages = { go, javascript, python, tsx, typescript } as const satisfies Readonly<
  Record<string, LanguageTable>
>;

/** A language with a table and a grammar. */
export type SyntaxLanguage = keyof typeof languages;
