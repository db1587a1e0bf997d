import type { PlainSymbol } from '../../lsp/features/document-symbols.ts';
import { type Packed, pack, unpack } from './packed-symbols.ts';

/** The definitions that a parser found in a text, in their normalized form. */
export interface StoredOutline {
  readonly symbols: readonly PlainSymbol[];
  /** True if the text has syntax errors; the definitions around them may be missing or wrong. */
  readonly hasError: boolean;
}

/** Returns an outline as compressed bytes with a checksum: about a tenth of the text that it belongs to. */
export function packOutline({ symbols, hasError }: StoredOutline): Buffer<ArrayBuffer> {
  // Loaded here, so that it does not delay the program's start.
  const { constants, zstdCompressSync } = process.getBuiltinModule('node:zlib');
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
  return zstdCompressSync(JSON.stringify([hasError, symbols.map(pack)]), { params });
}

/** Returns an outline from its bytes, or `undefined` if they are damaged. */
export function unpackOutline(bytes: Uint8Array): StoredOutline | undefined {
  const { zstdDecompressSync } = process.getBuiltinModule('node:zlib');
  try {
    const [hasError, symbols]: [boolean, Packed[]] = JSON.parse(zstdDecompressSync(bytes).toString('utf8'));
    return { symbols: symbols.map(unpack), hasError };
  } catch {
    return undefined;
  }
}
