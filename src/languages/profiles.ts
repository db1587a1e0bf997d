import { profile as bash } from './bash/profile.ts';
import { profile as clojure } from './clojure/profile.ts';
import { c, cpp, dialects } from './cpp/profile.ts';
import { profile as csharp } from './csharp/profile.ts';
import { css, otherStyleSheets, scss } from './css/profile.ts';
import { profile as dart } from './dart/profile.ts';
import { profile as elixir } from './elixir/profile.ts';
import { profile as elm } from './elm/profile.ts';
import { profile as fsharp } from './fsharp/profile.ts';
import { profile as gdscript } from './gdscript/profile.ts';
import { profile as gleam } from './gleam/profile.ts';
import { profile as go } from './go/profile.ts';
import { profile as haskell } from './haskell/profile.ts';
import { profile as html } from './html/profile.ts';
import { profile as java } from './java/profile.ts';
import { profile as json } from './json/profile.ts';
import { profile as julia } from './julia/profile.ts';
import { profile as kotlin } from './kotlin/profile.ts';
import type { LanguageProfile, ParsedProfile } from './language-profile.ts';
import { profile as latex } from './latex/profile.ts';
import { profile as lua, luau } from './lua/profile.ts';
import { profile as markdown } from './markdown/profile.ts';
import { profile as nix } from './nix/profile.ts';
import { ocaml, ocamlInterface } from './ocaml/profile.ts';
import { profile as perl } from './perl/profile.ts';
import { profile as php } from './php/profile.ts';
import { profile as powershell } from './powershell/profile.ts';
import { otherProfiles } from './profiles-without-grammar.ts';
import { profile as python } from './python/profile.ts';
import { profile as r, rDocuments } from './r/profile.ts';
import { profile as ruby } from './ruby/profile.ts';
import { profile as rust } from './rust/profile.ts';
import { profile as scala } from './scala/profile.ts';
import { profile as solidity } from './solidity/profile.ts';
import { profile as swift } from './swift/profile.ts';
import { profile as terraform } from './terraform/profile.ts';
import { profile as toml } from './toml/profile.ts';
import { javascript, tsx, typescript } from './typescript/profile.ts';
import { profile as yaml } from './yaml/profile.ts';
import { profile as zig } from './zig/profile.ts';

export const parsedProfiles = {
  ...{ bash, c, clojure, cpp, csharp, css, dart, elixir, elm, fsharp, gdscript, gleam, go, haskell, html, java },
  ...{ javascript, json, julia, kotlin, latex, lua, markdown, nix, ocaml, ocamlInterface, perl, php },
  ...{ powershell, python, r, ruby, rust, scala, scss, solidity, swift, terraform, toml, tsx, typescript, yaml, zig },
} as const satisfies Readonly<Record<string, ParsedProfile>>;

/** A language with a grammar. */
export type SyntaxLanguage = keyof typeof parsedProfiles;

const all: readonly LanguageProfile[] = [
  ...Object.values(parsedProfiles),
  ...dialects,
  luau,
  otherStyleSheets,
  rDocuments,
  ...otherProfiles,
];

const profiles: ReadonlyMap<string, LanguageProfile> = new Map(
  all.flatMap((profile) => profile.ids.map((id) => [id, profile] as const)),
);

const testFiles: readonly RegExp[] = all.flatMap((profile) => profile.testFiles ?? []);

const parsed: ReadonlyMap<string, SyntaxLanguage> = new Map(
  Object.keys(parsedProfiles)
    .filter((name): name is SyntaxLanguage => name in parsedProfiles)
    .flatMap((language) => parsedProfiles[language].ids.map((id) => [id, language] as const)),
);

/** Returns the language with a grammar that has an LSP id; `undefined` if none has. */
export function parsedLanguage(languageId: string): SyntaxLanguage | undefined {
  return parsed.get(languageId);
}

/** True for files that are tests by the conventions of a language. */
export function isTestFile(file: string): boolean {
  return testFiles.some((pattern) => pattern.test(file));
}

/** Returns the profile of a language by its LSP id; `undefined` for unknown languages. */
export function profileOf(languageId: string): LanguageProfile | undefined {
  return profiles.get(languageId);
}
