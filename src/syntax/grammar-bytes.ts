import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { languages, type SyntaxLanguage } from './languages.ts';

type EmbeddedFile = () => Promise<{ readonly default: string }>;

/** What `scripts/support/compress-grammars.ts` writes before a build; the bundler embeds each file. */
const compressed: Readonly<Record<SyntaxLanguage | 'runtime', EmbeddedFile>> = {
  runtime: () => import('../generated/grammars/runtime.wasm.zst', { with: { type: 'file' } }),
  bash: () => import('../generated/grammars/bash.wasm.zst', { with: { type: 'file' } }),
  c: () => import('../generated/grammars/c.wasm.zst', { with: { type: 'file' } }),
  cpp: () => import('../generated/grammars/cpp.wasm.zst', { with: { type: 'file' } }),
  csharp: () => import('../generated/grammars/csharp.wasm.zst', { with: { type: 'file' } }),
  go: () => import('../generated/grammars/go.wasm.zst', { with: { type: 'file' } }),
  java: () => import('../generated/grammars/java.wasm.zst', { with: { type: 'file' } }),
  javascript: () => import('../generated/grammars/javascript.wasm.zst', { with: { type: 'file' } }),
  kotlin: () => import('../generated/grammars/kotlin.wasm.zst', { with: { type: 'file' } }),
  lua: () => import('../generated/grammars/lua.wasm.zst', { with: { type: 'file' } }),
  php: () => import('../generated/grammars/php.wasm.zst', { with: { type: 'file' } }),
  python: () => import('../generated/grammars/python.wasm.zst', { with: { type: 'file' } }),
  ruby: () => import('../generated/grammars/ruby.wasm.zst', { with: { type: 'file' } }),
  rust: () => import('../generated/grammars/rust.wasm.zst', { with: { type: 'file' } }),
  scala: () => import('../generated/grammars/scala.wasm.zst', { with: { type: 'file' } }),
  tsx: () => import('../generated/grammars/tsx.wasm.zst', { with: { type: 'file' } }),
  typescript: () => import('../generated/grammars/typescript.wasm.zst', { with: { type: 'file' } }),
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
  const packagePath = name === 'runtime' ? runtimePackagePath : languages[name].grammar;
  return new Uint8Array(await readFile(fileURLToPath(new URL(`../../node_modules/${packagePath}`, import.meta.url))));
}
