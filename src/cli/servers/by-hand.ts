import { ExpectedError } from '../../base/errors.ts';
import type { PinnedSource } from '../../install/source.ts';
import { pinnedSource } from '../../servers/resolve.ts';
import type { ServerSpec } from '../../servers/spec.ts';

/** Returns where a server is fetched from. @throws {ExpectedError} `install.runtime-missing` for one that is not fetched. */
export function requireSource(spec: ServerSpec): PinnedSource {
  const source = pinnedSource(spec);
  if (source !== undefined) return source;
  const ways = spec.install.flatMap((candidate) => ('hint' in candidate ? [candidate.hint] : []));
  throw new ExpectedError(
    'install.runtime-missing',
    `Cannot fetch \`${spec.id}\` (${spec.name}): it has to be installed by hand`,
    { hints: [...ways, `Name its program with \`ls_specific_settings.${spec.id}.ls_path\``] },
  );
}
