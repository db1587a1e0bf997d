import type { LanguageTable } from './language-table.ts';
import { bash } from './languages/bash.ts';
import { c } from './languages/c.ts';
import { clojure } from './languages/clojure.ts';
import { cpp } from './languages/cpp.ts';
import { csharp } from './languages/csharp.ts';
import { css } from './languages/css.ts';
import { dart } from './languages/dart.ts';
import { elixir } from './languages/elixir.ts';
import { elm } from './languages/elm.ts';
import { fsharp } from './languages/fsharp.ts';
import { gdscript } from './languages/gdscript.ts';
import { gleam } from './languages/gleam.ts';
import { go } from './languages/go.ts';
import { haskell } from './languages/haskell.ts';
import { html } from './languages/html.ts';
import { java } from './languages/java.ts';
import { javascript } from './languages/javascript.ts';
import { json } from './languages/json.ts';
import { julia } from './languages/julia.ts';
import { kotlin } from './languages/kotlin.ts';
import { latex } from './languages/latex.ts';
import { lua } from './languages/lua.ts';
import { markdown } from './languages/markdown.ts';
import { nix } from './languages/nix.ts';
import { ocaml } from './languages/ocaml.ts';
import { ocamlInterface } from './languages/ocaml-interface.ts';
import { perl } from './languages/perl.ts';
import { php } from './languages/php.ts';
import { powershell } from './languages/powershell.ts';
import { python } from './languages/python.ts';
import { r } from './languages/r.ts';
import { ruby } from './languages/ruby.ts';
import { rust } from './languages/rust.ts';
import { scala } from './languages/scala.ts';
import { scss } from './languages/scss.ts';
import { swift } from './languages/swift.ts';
import { terraform } from './languages/terraform.ts';
import { toml } from './languages/toml.ts';
import { tsx } from './languages/tsx.ts';
import { typescript } from './languages/typescript.ts';
import { yaml } from './languages/yaml.ts';
import { zig } from './languages/zig.ts';

/** Tables by language. */
export const languages = {
  bash,
  c,
  clojure,
  cpp,
  csharp,
  css,
  dart,
  elixir,
  elm,
  fsharp,
  gdscript,
  gleam,
  go,
  haskell,
  html,
  java,
  javascript,
  json,
  julia,
  kotlin,
  latex,
  lua,
  markdown,
  nix,
  ocaml,
  ocamlInterface,
  perl,
  php,
  powershell,
  python,
  r,
  ruby,
  rust,
  scala,
  scss,
  swift,
  terraform,
  toml,
  tsx,
  typescript,
  yaml,
  zig,
} as const satisfies Readonly<Record<string, LanguageTable>>;

/** A language with a table and a grammar. */
export type SyntaxLanguage = keyof typeof languages;
