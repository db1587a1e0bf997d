import { resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import type { UnpackResult } from '../../install/bundle/bundle-reader.ts';
import type { BundleManifest } from '../../install/bundle/manifest.ts';
import { unpackBundle } from '../../install/bundle/unpack.ts';
import { megabytes } from '../../install/failures.ts';
import { findInstalled } from '../../install/install.ts';
import { pinnedBlobs } from '../../install/lock/pinned-blobs.ts';
import { embeddedLock } from '../../install/lock/server-lock.ts';
import { artifactsOf, missingArtifacts } from '../../install/source/artifacts.ts';
import { planOf } from '../../install/source/plan.ts';
import { currentTarget, targetName } from '../../install/target.ts';
import { catalog } from '../../languages/servers.ts';
import { installRequest, pinnedSource } from '../../servers/runtime/resolve.ts';
import { missingRuntimes } from '../../servers/runtime/system-programs.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { installServer } from './install.ts';
import { printJson, printLines, type Work, withProgress } from './work.ts';

/** Options of `servers unpack`. */
export interface UnpackFlags {
  readonly install?: boolean;
  readonly json?: boolean;
}

/** A server of a bundle, and its state on this machine. */
interface BundledServer {
  readonly id: string;
  /** The pinned version; `undefined` if this program does not know the server. */
  readonly version: string | undefined;
  readonly isInstalled: boolean;
  /** Missing artifacts, without which it cannot be used. */
  readonly missing: readonly string[];
  /** Programs that the server needs and that are not on this machine. */
  readonly needs: readonly string[];
}

/**
 * Unpacks the files of a bundle that this program pins, and with `install` installs its servers, without a network.
 * Returns the exit code: failed if a server for this platform is incomplete.
 *
 * @throws {ExpectedError} `file.not-found`; `install.*`: see `unpackBundle()`.
 */
export async function unpackServers(bundle: string, flags: UnpackFlags, environment: Environment): Promise<number> {
  const { unpacked, servers } = await withProgress(environment, { isOffline: true }, async (work) => {
    const { home, signal, report } = work;
    const path = resolve(environment.cwd, bundle);
    const onProgress = (done: number, total: number) => report({ message: `Reading ${path}`, done, total });
    const unpacked = await unpackBundle({
      bundle: path,
      home,
      pinned: pinnedBlobs(embeddedLock()),
      signal,
      onProgress,
    });
    return { unpacked, servers: await processServers(unpacked.manifest, flags, work) };
  });
  const { manifest, stored, alreadyThere, ignored } = unpacked;
  if (flags.json) printJson({ stored, alreadyThere, ignored, toolVersion: manifest.toolVersion, servers });
  else printLines([...renderFiles(unpacked), ...servers.flatMap(render)]);
  return servers.some(({ missing }) => missing.length > 0) ? exitCodes.failed : exitCodes.ok;
}

/** Checks each server of the bundle for this platform, and with `--install` installs it if it is complete. */
async function processServers(manifest: BundleManifest, flags: UnpackFlags, work: Work): Promise<BundledServer[]> {
  const processed: BundledServer[] = [];
  for (const id of new Set(manifest.servers.map((server) => server.id))) {
    const one = await processServer(id, { manifest, isInstall: flags.install === true }, work);
    if (one !== undefined) processed.push(one);
  }
  return processed;
}

/** Returns `undefined` for a server that the bundle has for other platforms only. */
async function processServer(
  id: string,
  { manifest, isInstall }: { readonly manifest: BundleManifest; readonly isInstall: boolean },
  work: Work,
): Promise<BundledServer | undefined> {
  const spec = catalog.find(id);
  const source = spec && pinnedSource(spec);
  if (spec === undefined || source === undefined) {
    return { id, version: undefined, isInstalled: false, missing: ['a version of Serena that supports it'], needs: [] };
  }
  const plan = planOf({ id, source });
  const here = targetName(currentTarget());
  // Many servers have the same files on all platforms.
  const isForHere = manifest.servers.some((one) => one.id === id && (one.target === here || one.key === plan.key));
  const artifacts = missingArtifacts(artifactsOf([plan]), work);
  if (!isForHere && artifacts.length > 0) return undefined;
  const call = { signal: work.signal, progress: () => undefined };
  const isHere = findInstalled(installRequest(spec, source, { place: work, call })) !== undefined;
  const isComplete = isHere || (artifacts.length === 0 && plan.placements !== undefined);
  if (isComplete && isInstall) await installServer(spec, work);
  return {
    id,
    version: plan.entry.version,
    isInstalled: isHere || (isComplete && isInstall),
    missing: isComplete ? [] : artifacts.map(({ title, sizeBytes }) => `${title}${sized(sizeBytes)}`),
    needs: missingRuntimes(spec, { env: work.env, settings: {} }).map(
      ({ program, hint }) => `\`${program}\` on \`PATH\`: ${hint}`,
    ),
  };
}

function renderFiles({ manifest, stored, alreadyThere, ignored }: UnpackResult): string[] {
  const sizes = new Map(manifest.blobs.map(({ integrity, size }) => [integrity, size]));
  const sum = stored.reduce((total, integrity) => total + (sizes.get(integrity) ?? 0), 0);
  const lines = [
    `Made by Serena ${manifest.toolVersion} for ${manifest.platforms.join(', ')}`,
    `${counted(stored.length, 'file')} unpacked (${megabytes(sum)}), ${alreadyThere.length} already present`,
  ];
  if (ignored.length === 0) return lines;
  const names = manifest.blobs.filter(({ integrity }) => ignored.includes(integrity)).map(({ path }) => `  ${path}`);
  return [...lines, `${counted(ignored.length, 'file')} ignored, not pinned by this version:`, ...names];
}

function render({ id, version, isInstalled, missing, needs }: BundledServer): string[] {
  const title = version === undefined ? id : `${id} ${version}`;
  if (missing.length > 0) return [`${title} is incomplete; missing: ${missing.join(', ')}`];
  const state = isInstalled ? 'is installed' : 'can be installed without a network, with `--install` or at first use';
  return [`${title} ${state}`, ...needs.map((need) => `  needs ${need}`)];
}

function sized(sizeBytes: number | undefined): string {
  return sizeBytes === undefined ? '' : ` (${megabytes(sizeBytes)})`;
}
