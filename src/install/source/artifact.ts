import type { TargetName } from '../target.ts';

export type Origin =
  | { readonly kind: 'npm'; readonly name: string; readonly version: string }
  | { readonly kind: 'pypi'; readonly name: string; readonly version: string; readonly file: string }
  | { readonly kind: 'url'; readonly url: string }
  /** Not published, but built; the build is reproducible on every machine. */
  | {
      readonly kind: 'go';
      readonly module: string;
      readonly version: string;
      readonly toolchain: string;
      readonly target: TargetName;
    };

/** A published file that installations are made of. It is fetched, verified, kept as a blob and bundled as a whole. */
export interface Artifact {
  /** For messages, such as `pyright@1.1.414` or `clangd-linux-19.1.2.zip`. */
  readonly title: string;
  /** `sha256-…` or `sha512-…`, as in the lock: the artifact's identity. */
  readonly integrity: string;
  /** Size of the published file; `undefined` if the lock does not have it. */
  readonly sizeBytes: number | undefined;
  /** Size of the files in it, if the lock has it. */
  readonly unpackedBytes?: number | undefined;
  readonly origin: Origin;
}

/** The format of an artifact. `npm` is a gzipped tar whose top directory, of any name, is stripped. */
export type UnpackKind = 'npm' | 'tar' | 'tar.gz' | 'tar.xz' | 'tar.bz2' | 'zip' | 'gz' | 'raw';

/** An artifact, and where its files go in an installation. */
export interface Placement {
  readonly artifact: Artifact;
  readonly unpack: UnpackKind;
  /** Directory relative to the installation, with `/`; empty for the installation itself. A file for `gz` and `raw`. */
  readonly dest: string;
  /** Number of leading path components to strip. */
  readonly strip: number;
  /** True if the file, of `gz` or `raw`, is a program. */
  readonly isProgram?: boolean;
}
