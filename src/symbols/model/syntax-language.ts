import { parsedLanguage, parsedProfiles, type SyntaxLanguage } from '../../languages/profiles.ts';
import type { SourceFiles } from '../../servers/assignment/source-files.ts';
import { languageIdOf, type ServerSpec } from '../../servers/spec.ts';

/** True if symbols can be edited by the ranges of their syntax trees; see `test/syntax/agreement.test.ts`. */
export function hasServerRanges(language: SyntaxLanguage): boolean {
  return parsedProfiles[language].hasServerRanges === true;
}

/** Returns the language in which a file of a server can be parsed, or `undefined` if there is no table for it. */
export function syntaxLanguageOf(spec: ServerSpec, file: string): SyntaxLanguage | undefined {
  // Headers of C++ often have the extension of C, and its grammar reads both.
  if (/\.h$/i.test(file) && languageIdOf(spec, file) === 'c') return 'cpp';
  // Signatures of F# have a grammar of their own.
  if (/\.fsi$/i.test(file)) return undefined;
  return parsedLanguage(languageIdOf(spec, file) ?? '');
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
