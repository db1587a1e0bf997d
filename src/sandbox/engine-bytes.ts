import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';

/** Path of QuickJS in `node_modules`. */
export const enginePackagePath = '@jitl/quickjs-ng-wasmfile-release-sync/dist/emscripten-module.wasm';

/** Returns the WebAssembly module of QuickJS: the embedded one, or the package's if the sources run without a build. */
export async function engineBytes(): Promise<ArrayBuffer> {
  if (process.env.SERENA_BUILD_VERSION === undefined) {
    const url = new URL(`../../node_modules/${enginePackagePath}`, import.meta.url);
    return new Uint8Array(readFileSync(fileURLToPath(url))).buffer;
  }
  const { default: path } = await import('../generated/grammars/quickjs.wasm.zst', { with: { type: 'file' } });
  return new Uint8Array(zstdDecompressSync(readFileSync(path))).buffer;
}
