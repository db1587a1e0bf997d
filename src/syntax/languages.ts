import type { LanguageTable } from './language-table.ts';
import { python } from './languages/python.ts';

/** Tables by language. */
export const languages = { python } as const satisfies Readonly<Record<string, LanguageTable>>;

/** A language with a table and a grammar. */
export type SyntaxLanguage = keyof typeof languages;
