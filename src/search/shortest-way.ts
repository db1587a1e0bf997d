import { RefusedFile, type RootedPath } from '../base/open-regular-file.ts';

/**
 * Opens a location: first without allowing links and, only if its path contains a link, with its own link rule.
 * Resolving a path takes longer than reading the file. Returns the result of `open`.
 *
 * @throws the errors of `open`.
 */
export function openByShortestWay<T>(place: RootedPath, open: (place: RootedPath) => T): T {
  try {
    return open({ ...place, links: 'none' });
  } catch (error) {
    const isLinked = error instanceof RefusedFile && error.reason === 'link';
    if (!isLinked || place.links === 'none') throw error;
  }
  return open(place);
}
