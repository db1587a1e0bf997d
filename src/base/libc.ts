/** Names of the system's C library. */
export const glibc = 'libc.so.6';
export const musl = `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`;

/** The parameters and the result of a C function, as Bun names their types. */
interface LibcFunction {
  readonly args: readonly string[];
  readonly returns: string;
}

/** A function of the C library. A buffer is passed as a pointer to its bytes. */
type LibcCall = (...args: readonly (number | Buffer)[]) => number;

/** Functions of the C library, by name. */
export type LibcCalls = Readonly<Record<string, LibcCall>>;

/** Returns functions of the first library that has them; `undefined` outside Linux, in other runtimes, and if none has. */
export function loadLibc(
  functions: Readonly<Record<string, LibcFunction>>,
  libraries: readonly string[],
  platform = process.platform,
): LibcCalls | undefined {
  if (platform !== 'linux') return undefined;
  const ffi = process.getBuiltinModule('bun:ffi');
  if (ffi === undefined || !('dlopen' in ffi) || typeof ffi.dlopen !== 'function') return undefined;
  for (const library of libraries) {
    try {
      return ffi.dlopen(library, functions).symbols;
    } catch {
      // It has another name where another C library is used.
    }
  }
  return undefined;
}

const fileFunctions = {
  statx: { args: ['i32', 'ptr', 'i32', 'u32', 'ptr'], returns: 'i32' },
  openat: { args: ['i32', 'ptr', 'i32'], returns: 'i32' },
  getdents64: { args: ['i32', 'ptr', 'u64'], returns: 'i32' },
  read: { args: ['i32', 'ptr', 'u64'], returns: 'i32' },
  close: { args: ['i32'], returns: 'i32' },
};
let loaded: { readonly calls: LibcCalls | undefined } | undefined;

/** Returns glibc's functions for files, as {@link loadLibc} does. With musl they were not tried. */
export function fileCalls(): LibcCalls | undefined {
  loaded ??= { calls: loadLibc(fileFunctions, [glibc]) };
  return loaded.calls;
}
