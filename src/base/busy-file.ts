import { systemCode } from './errors.ts';

// Virus scanners, indexers and editors open a file for moments.
const limitMs = 1_000;
const pollMs = 50;

/** True if Windows refused to rename or remove a file because another program has it open, or may not be allowed to. */
export function isBusyFile(error: unknown, platform = process.platform): boolean {
  return platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '');
}

/**
 * Returns the result of `change`, which renames or removes a file. On Windows repeats it for a second while another
 * program has the file open, which blocks this thread.
 *
 * @throws what `change` throws at last.
 */
export function whileBusy<T>(change: () => T, platform = process.platform): T {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return change();
    } catch (error) {
      if (!isBusyFile(error, platform) || performance.now() >= deadline) throw error;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
  }
}
