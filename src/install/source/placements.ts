import {
  type ArchiveLock,
  type GoLock,
  type LockEntry,
  type NpmLock,
  type PypiLock,
  packagesFor,
  wheelsFor,
} from '../lock/server-lock.ts';
import { type Target, targetName, targetNames } from '../target.ts';
import type { Artifact, Placement, UnpackKind } from './artifact.ts';
import type { ArchiveAsset, ArchiveSource, PinnedSource, PypiSource } from './source.ts';

/** Files of Python packages go here, relative to the installation. */
export const wheelDirectory = 'site';

const kindsByExtension: readonly (readonly [RegExp, UnpackKind])[] = [
  // The Visual Studio Marketplace calls every extension `vspackage`; the `sit` files of JetBrains are zip archives.
  [/(\.(zip|vsix|nupkg|whl|sit)|^vspackage)$/, 'zip'],
  [/\.(tar\.gz|tgz)$/, 'tar.gz'],
  [/\.(tar\.xz|txz)$/, 'tar.xz'],
  [/\.(tar\.bz2|tbz2?)$/, 'tar.bz2'],
  [/\.tar$/, 'tar'],
  [/\.gz$/, 'gz'],
];

/**
 * Returns the placements that an installation on `target` consists of; `undefined` if the source does not support that
 * platform. For a Go program it is the prebuilt program, if the lock has one.
 */
export function placementsOf(source: PinnedSource, entry: LockEntry, target: Target): Placement[] | undefined {
  if (entry.source === 'npm') return npmPlacements(entry, target);
  if (entry.source === 'pypi') return source.from === 'pypi' ? pypiPlacements(source, entry, target) : undefined;
  if (entry.source === 'go') return source.from === 'go' ? goPlacements(source.bin, entry, target) : undefined;
  return source.from === 'archive' ? archivePlacements(source, entry, target) : undefined;
}

/** Returns the asset of a release for `target`, or `undefined`. Musl systems never get a program made for glibc. */
export function assetFor(source: ArchiveSource, target: Target): ArchiveAsset | undefined {
  const name = targetNames.find((known) => known === targetName(target));
  return (name === undefined ? undefined : source.assets[name]) ?? source.assets.any;
}

function npmPlacements(entry: NpmLock, target: Target): Placement[] {
  return packagesFor(entry, target).map(({ name, version, integrity, sizeBytes, unpackedBytes, dest }) => {
    const origin = { kind: 'npm', name, version } as const;
    const artifact = { title: `${name}@${version}`, integrity, sizeBytes, unpackedBytes, origin };
    return { artifact, unpack: 'npm', dest, strip: 1 };
  });
}

function pypiPlacements(source: PypiSource, entry: PypiLock, target: Target): Placement[] | undefined {
  const wheels = wheelsFor(entry, target);
  // If one package is not published for the platform, the others are of no use.
  if (!Object.keys(source.packages).every((name) => wheels.some((wheel) => wheel.name === name))) return undefined;
  return wheels.map(({ name, version, file, integrity, sizeBytes, unpackedBytes }) => {
    const origin = { kind: 'pypi', name, version, file } as const;
    const artifact = { title: `${name}==${version}`, integrity, sizeBytes, unpackedBytes, origin };
    return { artifact, unpack: 'zip', dest: wheelDirectory, strip: 0 };
  });
}

function goPlacements(bin: string, entry: GoLock, target: Target): Placement[] | undefined {
  const name = targetNames.find((known) => known === targetName(target));
  const binary = name === undefined ? undefined : entry.binaries?.[name];
  if (name === undefined || binary === undefined || entry.toolchain === undefined) return undefined;
  const { module, version, toolchain } = entry;
  const artifact: Artifact = {
    title: `${bin} ${version} for ${name}`,
    integrity: binary.integrity,
    sizeBytes: binary.sizeBytes,
    origin: { kind: 'go', module, version, toolchain, target: name },
  };
  return [{ artifact, unpack: 'raw', dest: target.os === 'win32' ? `${bin}.exe` : bin, strip: 0, isProgram: true }];
}

function archivePlacements(source: ArchiveSource, entry: ArchiveLock, target: Target): Placement[] | undefined {
  const asset = assetFor(source, target);
  if (asset === undefined) return undefined;
  const own = placeFile(source, entry, { file: asset.file, directory: '', bin: asset.bin });
  const others = Object.entries(asset.also ?? {}).map(([directory, file]) =>
    placeFile(source, entry, { file, directory }),
  );
  const all = [own, ...others];
  const known = all.filter((placement) => placement !== undefined);
  return known.length === all.length ? known : undefined;
}

function placeFile(
  { url, version, strip = 0 }: ArchiveSource,
  { files }: ArchiveLock,
  { file, directory, bin }: { file: string; directory: string; bin?: string },
): Placement | undefined {
  const locked = Object.hasOwn(files, file) ? files[file] : undefined;
  if (locked === undefined) return undefined;
  const address = url.replaceAll('{version}', version).replaceAll('{file}', file);
  const artifact: Artifact = {
    title: file,
    integrity: locked.integrity,
    sizeBytes: locked.sizeBytes,
    origin: { kind: 'url', url: address },
  };
  const unpack = kindsByExtension.find(([extension]) => extension.test(file.toLowerCase()))?.[1] ?? 'raw';
  const isSingle = unpack === 'gz' || unpack === 'raw';
  const dest = isSingle && bin !== undefined ? bin : directory;
  return { artifact, unpack, dest, strip: isSingle ? 0 : strip, ...(isSingle ? { isProgram: true } : {}) };
}
