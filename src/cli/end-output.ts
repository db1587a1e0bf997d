/**
 * Ends our stdout and resolves once whoever reads it has taken all of it, or has closed it: a pipe takes 64 KiB at once, and
 * a program that ends throws away the rest.
 */
export function endOutput(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.once('error', () => resolve());
    process.stdout.end(() => resolve());
  });
}
