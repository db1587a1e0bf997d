import { ExpectedError } from '../../base/errors.ts';
import { embeddedLockOf, installKey, type LockEntry, lockedServer, type ServerLock } from '../lock/server-lock.ts';
import { type BlobContext, findBlob } from '../store/blobs.ts';
import { currentTarget, type Target, targetName } from '../target.ts';
import type { Artifact, Placement } from './artifact.ts';
import { assetFor, placementsOf, wheelDirectory } from './placements.ts';
import type { ArchiveSource, PinnedSource } from './source.ts';
import { type VersionChoice, withChoice } from './version-choice.ts';

export interface Plan {
  readonly id: string;
  /** Such as `pyright 1.1.414`; for messages. */
  readonly title: string;
  readonly entry: LockEntry;
  readonly key: string;
  readonly target: Target;
  /** The entry script or the program, relative to the installation, with `/`. */
  readonly program: string;
  readonly directoryName: string;
  /** `undefined` if the server is not assembled from artifacts but built. */
  readonly placements: readonly Placement[] | undefined;
  /**
   * Directory, relative to the installation, of the npm package whose version the user chose; the others are pinned.
   */
  readonly chosenPackage: string | undefined;
}

/**
 * Returns the planned installation of server `id` on `target`, by default the current platform. Reads only the lock.
 *
 * @throws {ExpectedError} `install.not-pinned` if the lock has no such server, or not for this platform;
 *   `config.invalid` for an unusable version in the user's settings.
 */
export function planOf(
  request: {
    id: string;
    source: PinnedSource;
    lock?: ServerLock | undefined;
    /** Another version, from the user's settings. */
    choice?: VersionChoice | undefined;
  },
  target: Target = currentTarget(),
): Plan {
  const { id, choice } = request;
  const pinned = { source: request.source, entry: lockedServer(request.lock ?? embeddedLockOf(id), id) };
  if (!matches(pinned.source, pinned.entry)) throw pinMismatch(id);
  const { source, entry } = choice === undefined ? pinned : withChoice(pinned, { id, choice, target });
  const placements = placementsOf(source, entry, target);
  if (placements === undefined && source.from !== 'go') throw unsupportedTarget(id, target);
  const key = installKey(entry, target);
  const title = source.from === 'archive' ? `${id} ${source.version}` : titleOf(source);
  const program = programOf(source, target);
  const [name = ''] = source.from === 'npm' ? Object.keys(source.packages) : [];
  const chosenPackage = source.from === 'npm' && source !== request.source ? `node_modules/${name}` : undefined;
  return {
    id,
    title,
    entry,
    key,
    target,
    program,
    directoryName: `${entry.version}-${key}`,
    placements,
    chosenPackage,
  };
}

function matches(source: PinnedSource, entry: LockEntry): boolean {
  if (source.from === 'npm' && entry.source === 'npm') {
    const names = Object.keys(source.packages);
    return names.every((name) => entry.packages.some(({ dest }) => dest === `node_modules/${name}`));
  }
  if (source.from === 'pypi' && entry.source === 'pypi') {
    return Object.keys(source.packages).every((name) => entry.wheels.some((wheel) => wheel.name === name));
  }
  if (source.from === 'go' && entry.source === 'go') return source.module === entry.module;
  return source.from === entry.source && source.from === 'archive' && source.version === entry.version;
}

function titleOf(source: Exclude<PinnedSource, ArchiveSource>): string {
  if (source.from === 'go') return `${source.module} ${source.version}`;
  return Object.entries(source.packages)[0]?.join(' ') ?? '';
}

function programOf(source: PinnedSource, target: Target): string {
  switch (source.from) {
    case 'npm':
      return expanded(source.entry, target);
    case 'go':
      return target.os === 'win32' ? `${source.bin}.exe` : source.bin;
    case 'pypi':
      return 'program' in source.run ? `${wheelDirectory}/${expanded(source.run.program, target)}` : wheelDirectory;
    case 'archive':
      return assetFor(source, target)?.bin ?? '';
  }
}

function expanded(path: string, { os, cpu }: Target): string {
  return path
    .replaceAll('{os}', os)
    .replaceAll('{cpu}', cpu)
    .replaceAll('{exe}', os === 'win32' ? '.exe' : '');
}

function pinMismatch(id: string): ExpectedError {
  return new ExpectedError(
    'install.not-pinned',
    `cannot install \`${id}\`: its source does not match its entry in the server lock`,
    { hints: ['run `scripts/update-server-lock.ts` after changing the source of a server'] },
  );
}

function unsupportedTarget(id: string, target: Target): ExpectedError {
  return new ExpectedError(
    'install.not-pinned',
    `cannot install \`${id}\` on ${targetName(target)}: nothing is published for it`,
    {
      hints: [`install a server for \`${id}\` manually and name it with \`ls_specific_settings.${id}.ls_path\``],
    },
  );
}

/** Returns the artifacts of all `plans`, each once. Plans that are built have none. */
export function artifactsOf(plans: readonly Plan[]): readonly Artifact[] {
  const all = plans.flatMap(({ placements }) => (placements ?? []).map(({ artifact }) => artifact));
  return [...new Map(all.map((artifact) => [artifact.integrity, artifact])).values()];
}

/** Returns the artifacts without a blob in a store or below SERENA_HOME. Does not check the content of blobs. */
export function missingArtifacts(artifacts: readonly Artifact[], context: BlobContext): readonly Artifact[] {
  return artifacts.filter(({ integrity }) => findBlob(context, integrity) === undefined);
}

/** Returns the sum of the sizes, in bytes, or `undefined` if any size is unknown. */
export function sumOfSizes(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce<number | undefined>(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  );
}
