import { ServerCatalog } from '../servers/catalog.ts';
import type { ServerSpec } from '../servers/spec.ts';
import { ada } from './ada.ts';
import { al } from './al.ts';
import { ansible } from './ansible.ts';
import { bash } from './bash/servers.ts';
import { bsl } from './bsl.ts';
import { clojure } from './clojure/servers.ts';
import { cpp, cppCcls } from './cpp/servers.ts';
import { crystal } from './crystal.ts';
import { csharp, csharpOmnisharp } from './csharp/servers.ts';
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
import { julia, juliaFatou } from './julia/servers.ts';
import { kotlin } from './kotlin/servers.ts';
import { latex, latexBadness } from './latex/servers.ts';
import { lean4 } from './lean.ts';
import { lua, luaEmmylua } from './lua/servers.ts';
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
import { php, phpPhpactor, phpPhpantom } from './php/servers.ts';
import { powershell } from './powershell/servers.ts';
import { prisma } from './prisma.ts';
import { protobuf } from './protobuf/servers.ts';
import {
  python,
  pythonBasedpyright,
  pythonJedi,
  pythonPylsp,
  pythonPyrefly,
  pythonTy,
  pythonZuban,
} from './python/servers.ts';
import { qml } from './qml.ts';
import { r, rArity } from './r/servers.ts';
import { rego } from './rego.ts';
import { robotframework } from './robotframework.ts';
import { ruby, rubySolargraph } from './ruby/servers.ts';
import { rust } from './rust/servers.ts';
import { scala } from './scala/servers.ts';
import { solidity } from './solidity/servers.ts';
import { swift } from './swift/servers.ts';
import { systemverilog } from './systemverilog.ts';
import { terraform } from './terraform/servers.ts';
import { toml } from './toml/servers.ts';
import { deno, typescript, typescriptNative, typescriptVts } from './typescript/servers.ts';
import { typespec } from './typespec.ts';
import { vhdl } from './vhdl.ts';
import { vim } from './vim.ts';
import { angular, astro, mdx, svelte, vue } from './web/servers.ts';
import { wolfram } from './wolfram.ts';
import { yaml } from './yaml/servers.ts';
import { zig } from './zig/servers.ts';

/**
 * All servers, in the order of the reference's list, followed by further ones. Of two that claim a file, the first gets
 * it.
 */
export const servers: readonly ServerSpec[] = [
  ...[csharp, python, rust, java, kotlin, typescript, go, ruby, dart, cpp, cppCcls, php, r, perl, clojure],
  ...[elixir, elm, terraform, swift, bash, crystal, cue, zig, lua, luau, nix, erlang, ocaml, al, fsharp, rego],
  ...[scala, julia, fortran, vhdl, nickel, haskell, haxe, lean4, groovy, vue, svelte, powershell, pascal],
  ...[matlab, msl, bsl, ada, gdscript, qml, gleam, nextflow, wolfram, typescriptVts, pythonJedi, pythonTy],
  ...[pythonPylsp, pythonPyrefly, pythonBasedpyright, pythonZuban, csharpOmnisharp, rubySolargraph],
  ...[phpPhpactor, phpPhpantom, markdown, latex, yaml, json, toml, hlsl, systemverilog, m68k, solidity],
  ...[ansible, html, scss, angular, astro, juliaFatou, latexBadness, luaEmmylua, mdx, prisma, protobuf],
  ...[robotframework, rArity, typespec, vim, deno, typescriptNative],
];

/** Ids in project files of older versions and of `serena-agent`. */
const otherIds: Readonly<Record<string, string>> = { javascript: 'typescript', typescript_tsgo: 'typescript_native' };

/** File extensions of programming languages that no server here supports, with their LSP ids. */
const withoutServer = {
  '.asm': 'asm',
  '.cob': 'cobol',
  '.d': 'd',
  '.nim': 'nim',
  '.odin': 'odin',
  '.res': 'rescript',
  '.vb': 'vb',
};

export const catalog = new ServerCatalog(servers, { otherIds, withoutServer });
