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
): LibcCalls | undefined {
  if (process.platform !== 'linux') return undefined;
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
