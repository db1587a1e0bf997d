import { pause } from '../base/deadline.ts';
import { isExpected } from '../base/errors.ts';
import type { RequestLimits } from '../lsp/client/connection.ts';
import { requestReferences } from '../lsp/features/locations.ts';
import type { Quirks } from '../servers/quirks.ts';
import { defineServer, onPath } from '../servers/spec.ts';
import { identifierAt, lineAt } from './corrections.ts';

/** Time for its index to follow the deletion of a file. */
const refusalPauseMs = 500;
const maxRefusals = 3;

/**
 * BSL Language Server 0.29 counts code points, and answers from the index of a changed file's former text:
 *
 * ```bsl
 * // Added in front of the call since the index was built
 * Итого();   // a reference is listed one line too high, where the name is not
 * ```
 *
 * Covered by "references" and "external change" of its conformance answers.
 */
const bslQuirks: Quirks = {
  // Without announcing it; it applies changes in UTF-16.
  positionEncodings: ['utf-32'],
  reopensWhenMatching: /[\u{10000}-\u{10ffff}]/u,
  // Names of BSL are equal in any case.
  references: async (server, place, limits) => {
    const nameAt = ({ file, range: { start } }: typeof place) =>
      identifierAt(lineAt(server, file, start.line), start.character).toLowerCase();
    const name = nameAt(place);
    const found = await askAgain(() => requestReferences(server, place, limits), limits);
    return found.filter((reference) => nameAt(reference) === name);
  },
};

/** Repeats a request that is refused, as with an internal error while the index still has a file that was just deleted. */
async function askAgain<T>(request: () => Promise<T>, limits: RequestLimits): Promise<T> {
  for (let refusals = 1; ; refusals++) {
    try {
      return await request();
    } catch (error) {
      if (!isExpected(error, 'server.refused') || refusals === maxRefusals) throw error;
      await pause(refusalPauseMs, limits.signal);
    }
  }
}

export const bsl = defineServer({
  id: 'bsl',
  name: 'BSL Language Server',
  homepage: 'https://1c-syntax.github.io/bsl-language-server',
  files: { '.bsl': 'bsl', '.os': 'bsl' },
  install: [
    onPath('bsl-language-server', 'install BSL Language Server and put it on `PATH` as `bsl-language-server`'),
    {
      from: 'archive',
      version: '0.29.0',
      url: 'https://github.com/1c-syntax/bsl-language-server/releases/download/v{version}/{file}',
      assets: { any: { file: 'bsl-language-server-0.29.0-exec.jar', bin: 'bsl-language-server-0.29.0-exec.jar' } },
      runs: { by: 'java', args: ['-jar', '{program}'] },
    },
  ],
  requires: [{ program: 'java', hint: 'install Java 21 or newer' }],
  versionKey: 'bsl_ls_version',
  ready: { when: 'progress-quiet', quietMs: 1_000, timeoutMs: 300_000 },
  quirks: bslQuirks,
  symbolsVersion: 2,
});
