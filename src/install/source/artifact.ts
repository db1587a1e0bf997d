import type { TargetName } from '../target.ts';

/** Where an artifact is published. */
export type Origin =
  | { readonly kind: 'npm'; readonly name: string; readonly version: string }
  | { readonly kind: 'pypi'; readonly name: string; readonly version: string; readonly file: string }
  | { readonly kind: 'url'; readonly url: string }
  /** Published nowhere: made by building, to the same bytes on every machine. */
  | {
      readonly kind: 'go';
      readonly module: string;
      readonly version: string;
      readonly toolchain: string;
      readonly target: TargetName;
    };

/** One file that installations are made of, as it is published: what is fetched, verified, kept as a blob and bundled. */
export interface Artifact {
  /** For messages, such as `pyright@1.1.414` or `clangd-linux-19.1.2.zip`. */
  readonly title: string;
  /** `sha256-…` or `sha512-…`, as in the lock: the artifact's identity. */
  readonly integrity: string;
  /** Of the file as it is published; `undefined` where the lock does not tell. */
  readonly sizeBytes: number | undefined;
  /** Of the files in it, where the lock tells. */
  readonly unpackedBytes?: number | undefined;
  readonly origin: Origin;
}

/** How the bytes of an artifact become files. `npm` is a gzipped tar whose top directory goes away whatever its name. */
export type UnpackKind = 'npm' | 'tar' | 'tar.gz' | 'tar.xz' | 'tar.bz2' | 'zip' | 'gz' | 'raw';

/** An artifact with the place its files take in an installation. */
export interface Placement {
  readonly artifact: Artifact;
  readonly unpack: UnpackKind;
  /** Directory relative to the installation, with `/`; empty for the installation itself. For `gz` and `raw` the file. */
  readonly dest: string;
  /** Directories at the top that are left away. */
  readonly strip: number;
  /** Whether the file, of `gz` and `raw`, is a program. */
  readonly isProgram?: boolean;
}
