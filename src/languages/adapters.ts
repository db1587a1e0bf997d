import type { LanguageAdapter, LanguageAdapters } from '../symbols/adapter.ts';
import type { SymbolScope } from '../symbols/model/scope.ts';
import { c, cpp, dialects } from './cpp/profile.ts';
import { profile as go } from './go/profile.ts';
import { profile as java } from './java/profile.ts';
import type { LanguageProfile } from './language-profile.ts';
import { profile as python } from './python/profile.ts';
import { profile as rust } from './rust/profile.ts';
import { javascript, tsx, typescript } from './typescript/profile.ts';

interface AdaptedLanguage {
  readonly profiles: readonly LanguageProfile[];
  /** Ids of the servers whose answers the adapter corrects; absent for an adapter that fits every server. */
  readonly servers?: readonly string[];
  readonly load: () => Promise<{ readonly adapter: LanguageAdapter<SymbolScope> }>;
}

/** Languages that need more than the usual queries and edits. Each is loaded when one of its files is asked about. */
const languages: readonly AdaptedLanguage[] = [
  { profiles: [c, cpp, ...dialects], servers: ['cpp'], load: () => import('./cpp/adapter.ts') },
  { profiles: [go], servers: ['go'], load: () => import('./go/adapter.ts') },
  { profiles: [java], servers: ['java'], load: () => import('./java/adapter.ts') },
  { profiles: [python], load: () => import('./python/adapter.ts') },
  { profiles: [rust], servers: ['rust'], load: () => import('./rust/adapter.ts') },
  {
    profiles: [javascript, typescript, tsx],
    servers: ['typescript', 'typescript_native', 'typescript_vts'],
    load: () => import('./typescript/adapter.ts'),
  },
];

const byId: ReadonlyMap<string, AdaptedLanguage> = new Map(
  languages.flatMap((language) => language.profiles.flatMap(({ ids }) => ids.map((id) => [id, language] as const))),
);

const none: LanguageAdapter<SymbolScope> = {};

/** Returns the adapter of a language for a server; see {@link LanguageAdapters}. */
export const adapters: LanguageAdapters<SymbolScope> = async (languageId, server) => {
  const language = byId.get(languageId);
  if (language === undefined || language.servers?.includes(server) === false) return none;
  return (await language.load()).adapter;
};
