import type { Measured } from '../measured.ts';

/** Returns the latest day on which one of the answers was measured; an empty date if none bears one. */
export function latest(own: readonly { readonly measured?: Measured | undefined }[]): Measured {
  return own.flatMap(({ measured }) => measured ?? []).reduce((a, b) => (b.date >= a.date ? b : a), { date: '' });
}
