import { isExpected } from '../../base/errors.ts';

/** Resolves as `ask` does, or with `undefined` if the language server refuses the request (`server.refused`). */
export async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isExpected(error, 'server.refused')) return undefined;
    throw error;
  }
}
