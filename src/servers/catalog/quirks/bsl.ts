import { requestReferences } from '../../../lsp/features/locations.ts';
import type { Quirks } from '../quirks.ts';
import { identifierAt, lineAt } from './identifier-at.ts';

/** Covered by "references" and "external change" of the conformance answers of BSL Language Server 0.29. */
export const bslQuirks: Quirks = {
  // It counts code points, without announcing it, and applies changes in UTF-16.
  positionEncodings: ['utf-32'],
  reopensWhenMatching: /[\u{10000}-\u{10ffff}]/u,
  // Its index may still be that of a changed file's former text. Names of BSL are equal in any case.
  references: async (server, place, limits) => {
    const nameAt = (path: string, { line, character }: typeof place.position) =>
      identifierAt(lineAt(server, { path }, line), character).toLowerCase();
    const name = nameAt(place.path, place.position);
    const found = await requestReferences(server, place, limits);
    return found.filter(({ path, range }) => nameAt(path, range.start) === name);
  },
};
