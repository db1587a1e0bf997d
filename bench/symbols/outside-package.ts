import { z } from 'zod';

/** A package that a caller of the benchmark names, from the language's registry or from a directory. */
export const OutsidePackage = z.strictObject({
  language: z.enum(['go', 'typescript', 'python', 'rust', 'java', 'cpp']),
  /** The package as its package manager names it: `flask`, `@scope/name`, `example.com/module`, `group:artifact`. */
  name: z.string().min(1),
  /** As the package manager writes it; for a directory any text. */
  version: z.string().min(1),
  /** A directory with the sources, which is copied; relative to the file that names it. */
  directory: z.string().min(1).optional(),
  /**
   * What the compiler is run with: source roots of Python and Java, operating systems of Go, arguments of `cargo check`
   * and of the C++ compiler.
   */
  configurations: z.array(z.string()).min(1).optional(),
  /** Requirements of pip, or Maven coordinates, that the sources need. */
  libraries: z.array(z.string()).optional(),
});
export type OutsidePackage = z.infer<typeof OutsidePackage>;
