import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { parsedProfiles, type SyntaxLanguage } from '../languages/profiles.ts';

type EmbeddedFile = () => Promise<{ readonly default: string }>;

/** What `scripts/support/compress-grammars.ts` writes before a build; the bundler embeds each file. */
const compressed: Readonly<Record<SyntaxLanguage | 'runtime', EmbeddedFile>> = {
  runtime: () => import('../generated/grammars/runtime.wasm.zst', { with: { type: 'file' } }),
  bash: () => import('../generated/grammars/bash.wasm.zst', { with: { type: 'file' } }),
  c: () => import('../generated/grammars/c.wasm.zst', { with: { type: 'file' } }),
  clojure: () => import('../generated/grammars/clojure.wasm.zst', { with: { type: 'file' } }),
  cpp: () => import('../generated/grammars/cpp.wasm.zst', { with: { type: 'file' } }),
  csharp: () => import('../generated/grammars/csharp.wasm.zst', { with: { type: 'file' } }),
  css: () => import('../generated/grammars/css.wasm.zst', { with: { type: 'file' } }),
  dart: () => import('../generated/grammars/dart.wasm.zst', { with: { type: 'file' } }),
  elixir: () => import('../generated/grammars/elixir.wasm.zst', { with: { type: 'file' } }),
  elm: () => import('../generated/grammars/elm.wasm.zst', { with: { type: 'file' } }),
  fsharp: () => import('../generated/grammars/fsharp.wasm.zst', { with: { type: 'file' } }),
  gdscript: () => import('../generated/grammars/gdscript.wasm.zst', { with: { type: 'file' } }),
  gleam: () => import('../generated/grammars/gleam.wasm.zst', { with: { type: 'file' } }),
  go: () => import('../generated/grammars/go.wasm.zst', { with: { type: 'file' } }),
  haskell: () => import('../generated/grammars/haskell.wasm.zst', { with: { type: 'file' } }),
  html: () => import('../generated/grammars/html.wasm.zst', { with: { type: 'file' } }),
  java: () => import('../generated/grammars/java.wasm.zst', { with: { type: 'file' } }),
  javascript: () => import('../generated/grammars/javascript.wasm.zst', { with: { type: 'file' } }),
  json: () => import('../generated/grammars/json.wasm.zst', { with: { type: 'file' } }),
  julia: () => import('../generated/grammars/julia.wasm.zst', { with: { type: 'file' } }),
  kotlin: () => import('../generated/grammars/kotlin.wasm.zst', { with: { type: 'file' } }),
  latex: () => import('../generated/grammars/latex.wasm.zst', { with: { type: 'file' } }),
  lua: () => import('../generated/grammars/lua.wasm.zst', { with: { type: 'file' } }),
  markdown: () => import('../generated/grammars/markdown.wasm.zst', { with: { type: 'file' } }),
  nix: () => import('../generated/grammars/nix.wasm.zst', { with: { type: 'file' } }),
  ocaml: () => import('../generated/grammars/ocaml.wasm.zst', { with: { type: 'file' } }),
  ocamlInterface: () => import('../generated/grammars/ocamlInterface.wasm.zst', { with: { type: 'file' } }),
  perl: () => import('../generated/grammars/perl.wasm.zst', { with: { type: 'file' } }),
  php: () => import('../generated/grammars/php.wasm.zst', { with: { type: 'file' } }),
  powershell: () => import('../generated/grammars/powershell.wasm.zst', { with: { type: 'file' } }),
  python: () => import('../generated/grammars/python.wasm.zst', { with: { type: 'file' } }),
  r: () => import('../generated/grammars/r.wasm.zst', { with: { type: 'file' } }),
  ruby: () => import('../generated/grammars/ruby.wasm.zst', { with: { type: 'file' } }),
  rust: () => import('../generated/grammars/rust.wasm.zst', { with: { type: 'file' } }),
  scala: () => import('../generated/grammars/scala.wasm.zst', { with: { type: 'file' } }),
  scss: () => import('../generated/grammars/scss.wasm.zst', { with: { type: 'file' } }),
  solidity: () => import('../generated/grammars/solidity.wasm.zst', { with: { type: 'file' } }),
  swift: () => import('../generated/grammars/swift.wasm.zst', { with: { type: 'file' } }),
  terraform: () => import('../generated/grammars/terraform.wasm.zst', { with: { type: 'file' } }),
  toml: () => import('../generated/grammars/toml.wasm.zst', { with: { type: 'file' } }),
  tsx: () => import('../generated/grammars/tsx.wasm.zst', { with: { type: 'file' } }),
  typescript: () => import('../generated/grammars/typescript.wasm.zst', { with: { type: 'file' } }),
  yaml: () => import('../generated/grammars/yaml.wasm.zst', { with: { type: 'file' } }),
  zig: () => import('../generated/grammars/zig.wasm.zst', { with: { type: 'file' } }),
};

/** Path in `node_modules` of the parser itself. */
export const runtimePackagePath = 'web-tree-sitter/web-tree-sitter.wasm';

// Defined by a build only.
const isBuilt = process.env.SERENA_BUILD_VERSION !== undefined;

/**
 * Returns the WebAssembly module of a language's grammar, or of the parser itself: the embedded one, or the package's if
 * the sources run without a build.
 */
export async function grammarBytes(name: SyntaxLanguage | 'runtime'): Promise<Uint8Array<ArrayBuffer>> {
  if (isBuilt) {
    const { default: path } = await compressed[name]();
    return new Uint8Array(zstdDecompressSync(readFileSync(path)));
  }
  const packagePath = name === 'runtime' ? runtimePackagePath : parsedProfiles[name].grammar;
  return new Uint8Array(await readFile(fileURLToPath(new URL(`../../node_modules/${packagePath}`, import.meta.url))));
}
