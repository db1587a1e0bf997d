import type { ServerSpec } from './spec.ts';
import { ada } from './specs/ada.ts';
import { al } from './specs/al.ts';
import { angular } from './specs/angular.ts';
import { ansible } from './specs/ansible.ts';
import { astro } from './specs/astro.ts';
import { bash } from './specs/bash.ts';
import { bsl } from './specs/bsl.ts';
import { clojure } from './specs/clojure.ts';
import { cpp } from './specs/cpp.ts';
import { cppCcls } from './specs/cpp_ccls.ts';
import { crystal } from './specs/crystal.ts';
import { csharp } from './specs/csharp.ts';
import { csharpOmnisharp } from './specs/csharp_omnisharp.ts';
import { cue } from './specs/cue.ts';
import { dart } from './specs/dart.ts';
import { deno } from './specs/deno.ts';
import { elixir } from './specs/elixir.ts';
import { elm } from './specs/elm.ts';
import { erlang } from './specs/erlang.ts';
import { fortran } from './specs/fortran.ts';
import { fsharp } from './specs/fsharp.ts';
import { gdscript } from './specs/gdscript.ts';
import { gleam } from './specs/gleam.ts';
import { go } from './specs/go.ts';
import { groovy } from './specs/groovy.ts';
import { haskell } from './specs/haskell.ts';
import { haxe } from './specs/haxe.ts';
import { hlsl } from './specs/hlsl.ts';
import { html } from './specs/html.ts';
import { java } from './specs/java.ts';
import { json } from './specs/json.ts';
import { julia } from './specs/julia.ts';
import { juliaFatou } from './specs/julia_fatou.ts';
import { kotlin } from './specs/kotlin.ts';
import { latex } from './specs/latex.ts';
import { latexBadness } from './specs/latex_badness.ts';
import { lean4 } from './specs/lean4.ts';
import { lua } from './specs/lua.ts';
import { luaEmmylua } from './specs/lua_emmylua.ts';
import { luau } from './specs/luau.ts';
import { m68k } from './specs/m68k.ts';
import { markdown } from './specs/markdown.ts';
import { matlab } from './specs/matlab.ts';
import { mdx } from './specs/mdx.ts';
import { msl } from './specs/msl.ts';
import { nextflow } from './specs/nextflow.ts';
import { nickel } from './specs/nickel.ts';
import { nix } from './specs/nix.ts';
import { ocaml } from './specs/ocaml.ts';
import { pascal } from './specs/pascal.ts';
import { perl } from './specs/perl.ts';
import { php } from './specs/php.ts';
import { phpPhpactor } from './specs/php_phpactor.ts';
import { phpPhpantom } from './specs/php_phpantom.ts';
import { powershell } from './specs/powershell.ts';
import { prisma } from './specs/prisma.ts';
import { protobuf } from './specs/protobuf.ts';
import { python } from './specs/python.ts';
import { pythonBasedpyright } from './specs/python_basedpyright.ts';
import { pythonJedi } from './specs/python_jedi.ts';
import { pythonPylsp } from './specs/python_pylsp.ts';
import { pythonPyrefly } from './specs/python_pyrefly.ts';
import { pythonTy } from './specs/python_ty.ts';
import { pythonZuban } from './specs/python_zuban.ts';
import { qml } from './specs/qml.ts';
import { r } from './specs/r.ts';
import { rArity } from './specs/r_arity.ts';
import { rego } from './specs/rego.ts';
import { robotframework } from './specs/robotframework.ts';
import { ruby } from './specs/ruby.ts';
import { rubySolargraph } from './specs/ruby_solargraph.ts';
import { rust } from './specs/rust.ts';
import { scala } from './specs/scala.ts';
import { scss } from './specs/scss.ts';
import { solidity } from './specs/solidity.ts';
import { svelte } from './specs/svelte.ts';
import { swift } from './specs/swift.ts';
import { systemverilog } from './specs/systemverilog.ts';
import { terraform } from './specs/terraform.ts';
import { toml } from './specs/toml.ts';
import { typescript } from './specs/typescript.ts';
import { typescriptNative } from './specs/typescript_native.ts';
import { typescriptVts } from './specs/typescript_vts.ts';
import { typespec } from './specs/typespec.ts';
import { vhdl } from './specs/vhdl.ts';
import { vim } from './specs/vim.ts';
import { vue } from './specs/vue.ts';
import { wolfram } from './specs/wolfram.ts';
import { yaml } from './specs/yaml.ts';
import { zig } from './specs/zig.ts';

/**
 * All servers, in the order of the reference's list, followed by further ones. Of two that claim a file, the first gets
 * it.
 */
export const servers: readonly ServerSpec[] = [
  csharp,
  python,
  rust,
  java,
  kotlin,
  typescript,
  go,
  ruby,
  dart,
  cpp,
  cppCcls,
  php,
  r,
  perl,
  clojure,
  elixir,
  elm,
  terraform,
  swift,
  bash,
  crystal,
  cue,
  zig,
  lua,
  luau,
  nix,
  erlang,
  ocaml,
  al,
  fsharp,
  rego,
  scala,
  julia,
  fortran,
  vhdl,
  nickel,
  haskell,
  haxe,
  lean4,
  groovy,
  vue,
  svelte,
  powershell,
  pascal,
  matlab,
  msl,
  bsl,
  ada,
  gdscript,
  qml,
  gleam,
  nextflow,
  wolfram,
  typescriptVts,
  pythonJedi,
  pythonTy,
  pythonPylsp,
  pythonPyrefly,
  pythonBasedpyright,
  pythonZuban,
  csharpOmnisharp,
  rubySolargraph,
  phpPhpactor,
  phpPhpantom,
  markdown,
  latex,
  yaml,
  json,
  toml,
  hlsl,
  systemverilog,
  m68k,
  solidity,
  ansible,
  html,
  scss,
  angular,
  astro,
  juliaFatou,
  latexBadness,
  luaEmmylua,
  mdx,
  prisma,
  protobuf,
  robotframework,
  rArity,
  typespec,
  vim,
  deno,
  typescriptNative,
];

/** Ids in project files of older versions and of `serena-agent`. */
const otherIds: Readonly<Record<string, string>> = { javascript: 'typescript', typescript_tsgo: 'typescript_native' };

/** Returns the server with this id (aliases and any case accepted), or `undefined`. */
export function findServer(id: string): ServerSpec | undefined {
  const canonical = otherIds[id.toLowerCase()] ?? id.toLowerCase();
  return servers.find((server) => server.id === canonical);
}
