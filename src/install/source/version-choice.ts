import { ExpectedError } from '../../base/errors.ts';
import { parseIntegrity, unverified } from '../lock/integrity.ts';
import {
  type ArchiveLock,
  type GoLock,
  type LockEntry,
  type NpmLock,
  type PypiLock,
  wheelsFor,
} from '../lock/server-lock.ts';
import { type Target, targetName } from '../target.ts';
import { assetFor } from './placements.ts';
import type { ArchiveAsset, ArchiveSource, GoSource, NpmSource, PinnedSource, PypiSource } from './source.ts';

/** A version of a server other than the pinned one, from the user's settings. */
export interface VersionChoice {
  /** The key of `ls_specific_settings.<id>` that names it. */
  readonly key: string;
  readonly version: string;
  /** The hash of the download: a single one, or several by file name, package or platform. */
  readonly integrity?: string | Readonly<Record<string, string>> | undefined;
  /** True if the user accepts a download without a hash. */
  readonly isUnverified?: boolean;
}

interface PinnedVersion {
  readonly source: PinnedSource;
  readonly entry: LockEntry;
}

interface VersionRequest {
  readonly id: string;
  readonly choice: VersionChoice;
  readonly target: Target;
}

/**
 * Returns the source and lock entry of the chosen version: those of the pinned version, with the user's hashes. The
 * other parts of the installation stay as the lock pins them.
 *
 * @throws {ExpectedError} `config.invalid` without a usable hash; `install.not-pinned` if only the pinned version works
 *   with the other parts.
 */
export function withChoice({ source, entry }: PinnedVersion, request: VersionRequest): PinnedVersion {
  // The version becomes part of paths and of arguments of other programs.
  if (!/^[0-9a-z][0-9a-z.+_-]*$/i.test(request.choice.version)) {
    throw invalid(request, 'that is not a valid version', [`correct or remove \`${request.choice.key}\``]);
  }
  if (source.from === 'npm' && entry.source === 'npm') return ofNpm(source, entry, request);
  if (source.from === 'pypi' && entry.source === 'pypi') return ofPypi(source, entry, request);
  if (source.from === 'archive' && entry.source === 'archive') return ofArchive(source, entry, request);
  if (source.from === 'go' && entry.source === 'go') return ofGo(source, entry, request);
  return { source, entry };
}

function ofNpm(source: NpmSource, entry: NpmLock, request: VersionRequest): PinnedVersion {
  const { version } = request.choice;
  const [[name, pinned] = ['', ''], ...others] = Object.entries(source.packages);
  if (version === pinned) return { source, entry };
  const integrity = hashOf(
    request,
    [`${name}@${version}`, name, `${name}-${version}.tgz`],
    `npm view ${name}@${version} dist.integrity`,
  );
  const packages = entry.packages.map((locked) =>
    locked.dest === `node_modules/${name}`
      ? { ...locked, version, integrity, sizeBytes: undefined, unpackedBytes: undefined }
      : locked,
  );
  const all = { [name]: version, ...Object.fromEntries(others) };
  const joined = [version, ...others.map((other) => other.join('-'))].join('+');
  return { source: { ...source, packages: all }, entry: { ...entry, version: joined, packages } };
}

function ofPypi(source: PypiSource, entry: PypiLock, request: VersionRequest): PinnedVersion {
  const { version } = request.choice;
  const [wheel, ...others] = wheelsFor(entry, request.target);
  if (wheel === undefined || version === wheel.version) return { source, entry };
  if (others.length > 0) {
    throw incompatible(request, `it consists of ${others.length + 1} packages whose versions are pinned together`);
  }
  const file = wheel.file.replace(`-${wheel.version}-`, `-${version}-`);
  const integrity = hashOf(
    request,
    [file, wheel.name],
    `pip download ${wheel.name}==${version} --no-deps\` and \`pip hash`,
  );
  const chosen = { ...wheel, version, file, integrity, sizeBytes: undefined, unpackedBytes: undefined };
  return { source: { ...source, packages: { [wheel.name]: version } }, entry: { ...entry, version, wheels: [chosen] } };
}

function ofArchive(source: ArchiveSource, entry: ArchiveLock, request: VersionRequest): PinnedVersion {
  const { version } = request.choice;
  if (version === source.version) return { source, entry };
  const pinned = assetFor(source, request.target);
  if (pinned === undefined) return { source, entry };
  const asset = renamed(pinned, (text) => text.replaceAll(source.version, version));
  const files = [asset.file, ...Object.values(asset.also ?? {})];
  const locked = files.map((file) => [
    file,
    { integrity: hashOf({ ...request, isOnly: files.length === 1 }, [file], 'sha256sum <file>') },
  ]);
  return {
    source: { ...source, version, assets: { any: asset } },
    entry: { ...entry, version, files: Object.fromEntries(locked) },
  };
}

function renamed(asset: ArchiveAsset, rename: (text: string) => string): ArchiveAsset {
  const also = Object.entries(asset.also ?? {}).map(([directory, file]) => [directory, rename(file)]);
  const file = rename(asset.file);
  return { ...asset, file, bin: rename(asset.bin), ...(asset.also ? { also: Object.fromEntries(also) } : {}) };
}

function ofGo(source: GoSource, entry: GoLock, request: VersionRequest): PinnedVersion {
  const { choice, id } = request;
  const { version, integrity } = choice;
  if (version === source.version) return { source, entry };
  const sum = typeof integrity === 'string' ? integrity : integrity?.[entry.module];
  if (sum !== undefined && !/^h1:[A-Za-z0-9+/]{43}=$/.test(sum)) {
    throw invalid(request, 'its `integrity` is not the sum of a Go module', [
      `write \`integrity: h1:…\` below \`ls_specific_settings.${id}\`, as in the \`go.sum\` line of \`${entry.module} ${version}\``,
    ]);
  }
  if (sum === undefined && !choice.isUnverified) throw noHash(request, 'go mod download -json <module>@<version>');
  const modules = [{ name: entry.module, version, sum: sum ?? unverified }];
  return {
    source: { ...source, version },
    entry: { source: 'go', version, module: entry.module, modules, pins: sum === undefined ? 'nothing' : 'program' },
  };
}

/** Returns the hash of one file from the user's settings, by the first of `names` that has one, or by platform. */
function hashOf(request: VersionRequest & { isOnly?: boolean }, names: readonly string[], command: string): string {
  const { choice, target, isOnly = true } = request;
  const { integrity } = choice;
  const found =
    typeof integrity === 'string'
      ? isOnly
        ? integrity
        : undefined
      : [...names, ...(isOnly ? [targetName(target)] : [])]
          .map((name) => integrity?.[name])
          .find((text) => text !== undefined);
  if (found === undefined) {
    if (choice.isUnverified) return unverified;
    throw noHash(request, command, isOnly ? undefined : names[0]);
  }
  const parsed = parseIntegrity(found);
  if (parsed !== undefined) return parsed;
  throw invalid(request, `\`${found}\` is not a valid hash`, [
    'write it as `sha512-…` or `sha256-…` in base64, or as hexadecimal digits',
  ]);
}

function noHash(request: VersionRequest, command: string, file?: string): ExpectedError {
  const { id } = request;
  const entry = file === undefined ? '`integrity: sha512-…`' : `an \`integrity\` map with \`${file}\``;
  return invalid(request, 'this program does not pin that version, and the settings have no hash for it', [
    `add ${entry} (or \`sha256-…\`) below \`ls_specific_settings.${id}\`; \`${command}\` prints the hash`,
    `add \`verify: false\` below \`ls_specific_settings.${id}\` to run that version without verification`,
    `remove \`${request.choice.key}\` to use the pinned version`,
  ]);
}

function invalid({ id, choice }: VersionRequest, problem: string, hints: readonly string[]): ExpectedError {
  const what = `\`ls_specific_settings.${id}.${choice.key}: ${choice.version}\``;
  return new ExpectedError('config.invalid', `cannot install \`${id}\` with ${what}: ${problem}`, { hints });
}

function incompatible({ id, choice }: VersionRequest, problem: string): ExpectedError {
  return incompatibleVersion(id, `${choice.key}: ${choice.version}`, problem);
}

/** Returns the error for a chosen version that does not work with the other, pinned parts of the installation. */
export function incompatibleVersion(id: string, chosen: string, problem: string): ExpectedError {
  return new ExpectedError('install.not-pinned', `cannot install \`${id}\` with \`${chosen}\`: ${problem}`, {
    hints: [
      `install that version manually and name its program with \`ls_specific_settings.${id}.ls_path\``,
      'remove the version from your settings to use the pinned one',
    ],
  });
}
