import type { ServerSpec } from '../servers/spec.ts';
import { ada } from './ada.ts';
import { al } from './al.ts';
import { ansible } from './ansible.ts';
import { bash } from './bash/servers.ts';
import { bsl } from './bsl.ts';
import { clojure } from './clojure/servers.ts';
import { cppCcls } from './cpp/ccls.ts';
import { cpp } from './cpp/servers.ts';
import { crystal } from './crystal.ts';
import { csharpOmnisharp } from './csharp/omnisharp.ts';
import { csharp } from './csharp/servers.ts';
import { scss } from './css/servers.ts';
import { cue } from './cue.ts';
import { dart } from './dart/servers.ts';
import { elixir } from './elixir/servers.ts';
import { elm } from './elm/servers.ts';
import { erlang } from './erlang.ts';
import { fortran } from './fortran.ts';
import { fsharp } from './fsharp/servers.ts';
import { gdscript } from './gdscript/servers.ts';
import { gleam } from './gleam/servers.ts';
import { go } from './go/servers.ts';
import { groovy } from './groovy.ts';
import { haskell } from './haskell/servers.ts';
import { haxe } from './haxe.ts';
import { hlsl } from './hlsl.ts';
import { html } from './html/servers.ts';
import { java } from './java/servers.ts';
import { json } from './json/servers.ts';
import { juliaFatou } from './julia/fatou.ts';
import { julia } from './julia/servers.ts';
import { kotlin } from './kotlin/servers.ts';
import { latexBadness } from './latex/badness.ts';
import { latex } from './latex/servers.ts';
import { lean4 } from './lean.ts';
import { luaEmmylua } from './lua/emmylua.ts';
import { lua } from './lua/servers.ts';
import { luau } from './luau.ts';
import { m68k } from './m68k.ts';
import { markdown } from './markdown/servers.ts';
import { matlab } from './matlab.ts';
import { msl } from './msl.ts';
import { nextflow } from './nextflow.ts';
import { nickel } from './nickel.ts';
import { nix } from './nix/servers.ts';
import { ocaml } from './ocaml/servers.ts';
import { pascal } from './pascal.ts';
import { perl } from './perl/servers.ts';
import { phpPhpactor } from './php/phpactor.ts';
import { phpPhpantom } from './php/phpantom.ts';
import { php } from './php/servers.ts';
import { powershell } from './powershell/servers.ts';
import { prisma } from './prisma.ts';
import { protobuf } from './protobuf/servers.ts';
import { pythonBasedpyright } from './python/basedpyright.ts';
import { pythonJedi } from './python/jedi.ts';
import { pythonPylsp } from './python/pylsp.ts';
import { pythonPyrefly } from './python/pyrefly.ts';
import { python } from './python/servers.ts';
import { pythonTy } from './python/ty.ts';
import { pythonZuban } from './python/zuban.ts';
import { qml } from './qml.ts';
import { rArity } from './r/arity.ts';
import { r } from './r/servers.ts';
import { rego } from './rego.ts';
import { robotframework } from './robotframework.ts';
import { ruby } from './ruby/servers.ts';
import { rubySolargraph } from './ruby/solargraph.ts';
import { rust } from './rust/servers.ts';
import { scala } from './scala/servers.ts';
import { solidity } from './solidity.ts';
import { swift } from './swift/servers.ts';
import { systemverilog } from './systemverilog.ts';
import { terraform } from './terraform/servers.ts';
import { toml } from './toml/servers.ts';
import { deno } from './typescript/deno.ts';
import { typescriptNative } from './typescript/native.ts';
import { typescript } from './typescript/servers.ts';
import { typescriptVts } from './typescript/vts.ts';
import { typespec } from './typespec.ts';
import { vhdl } from './vhdl.ts';
import { vim } from './vim.ts';
import { angular } from './web/angular.ts';
import { astro } from './web/astro.ts';
import { mdx } from './web/mdx.ts';
import { svelte } from './web/svelte.ts';
import { vue } from './web/vue.ts';
import { wolfram } from './wolfram.ts';
import { yaml } from './yaml/servers.ts';
import { zig } from './zig/servers.ts';

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
