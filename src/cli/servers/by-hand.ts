import { ExpectedError } from '../../base/errors.ts';
import {
  type InstallableSource,
  isInstallable,
  isPinnedSource,
  type PinnedSource,
} from '../../install/source/source.ts';
import type { ServerSpec } from '../../servers/catalog/spec.ts';
import { waysToInstall } from '../../servers/runtime/system-programs.ts';

/** Returns where a server is fetched from. @throws {ExpectedError} `install.runtime-missing` for one that is not fetched. */
export function requireInstallable(spec: ServerSpec): InstallableSource {
  const source = spec.install.find(isPinnedSource) ?? spec.install.find(isInstallable);
  if (source !== undefined) return source;
  throw byHand(`Cannot fetch \`${spec.id}\` (${spec.name}): it has to be installed by hand`, spec);
}

/**
 * Returns what this program pins of a server, and so can vouch for elsewhere.
 *
 * @throws {ExpectedError} `install.runtime-missing` where it pins nothing.
 */
export function requirePinned(spec: ServerSpec): PinnedSource {
  const source = spec.install.find(isPinnedSource);
  if (source !== undefined) return source;
  throw byHand(`Cannot carry \`${spec.id}\` (${spec.name}) elsewhere: this program pins no files of it`, spec);
}

function byHand(message: string, spec: ServerSpec): ExpectedError {
  return new ExpectedError('install.runtime-missing', message, { hints: waysToInstall(spec) });
}
