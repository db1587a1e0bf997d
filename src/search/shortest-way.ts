import { type FilePlace, RefusedFile } from '../base/open-regular-file.ts';

/**
 * Opens a place as if there were no links on the way, and by the place's own rule only if there is one: to resolve a path
 * takes longer than to read the file. Returns what `open` returns.
 *
 * @throws what `open` throws.
 */
export function openByShortestWay<T>(place: FilePlace, open: (place: FilePlace) => T): T {
  try {
    return open({ ...place, links: 'none' });
  } catch (error) {
    const isLinked = error instanceof RefusedFile && error.reason === 'link';
    if (!isLinked || place.links === 'none') throw error;
  }
  return open(place);
}
