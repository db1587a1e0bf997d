import { ExpectedError } from '../../base/errors.ts';
import {
  type InstallableSource,
  isInstallable,
  isPinnedSource,
  type PinnedSource,
} from '../../install/source/source.ts';
import { waysToInstall } from '../../servers/runtime/system-programs.ts';
import type { ServerSpec } from '../../servers/spec.ts';

/** Returns the source to install a server from. @throws {ExpectedError} `install.runtime-missing` if it has none. */
export function requireInstallable(spec: ServerSpec): InstallableSource {
  const source = spec.install.find(isPinnedSource) ?? spec.install.find(isInstallable);
  if (source !== undefined) return source;
  throw runtimeMissing(`cannot download \`${spec.id}\` (${spec.name}): it has to be installed manually`, spec);
}

/**
 * Returns the pinned source of a server, whose files can be verified on other machines too.
 *
 * @throws {ExpectedError} `install.runtime-missing` if it has none.
 */
export function requirePinned(spec: ServerSpec): PinnedSource {
  const source = spec.install.find(isPinnedSource);
  if (source !== undefined) return source;
  throw runtimeMissing(`cannot pack or prefetch \`${spec.id}\` (${spec.name}): this program pins no files of it`, spec);
}

function runtimeMissing(message: string, spec: ServerSpec): ExpectedError {
  return new ExpectedError('install.runtime-missing', message, { hints: waysToInstall(spec) });
}
