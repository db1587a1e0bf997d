import { type FilePlace, RefusedFile } from '../base/open-regular-file.ts';

/**
 * Returns the result of `open`, first without allowing links, and only if the path contains one with the location's own
 * link rule: resolving a path takes longer than reading the file.
 *
 * @throws the errors of `open`.
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
