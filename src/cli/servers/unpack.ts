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
import { findServer } from '../../servers/catalog/servers.ts';
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

/** A server of a bundle, as far as this machine goes. */
interface Brought {
  readonly id: string;
  /** The version that this program uses, if it knows the server. */
  readonly version: string | undefined;
  readonly isInstalled: boolean;
  /** Why it cannot be used yet. */
  readonly missing: readonly string[];
  /** Programs that the server needs and that are not on this machine. */
  readonly needs: readonly string[];
}

/**
 * Takes from a bundle what this program pins, and with `install` installs its servers without any network. Returns the exit
 * code: failed if a server that the bundle has for this machine is not complete.
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
    return { unpacked, servers: await bring(unpacked.manifest, flags, work) };
  });
  const { manifest, stored, alreadyThere, ignored } = unpacked;
  if (flags.json) printJson({ stored, alreadyThere, ignored, toolVersion: manifest.toolVersion, servers });
  else printLines([...renderTaken(unpacked), ...servers.flatMap(render)]);
  return servers.some(({ missing }) => missing.length > 0) ? exitCodes.failed : exitCodes.ok;
}

/** Looks at each server that the bundle has for this machine, and installs it if that is wanted and possible. */
async function bring(manifest: BundleManifest, flags: UnpackFlags, work: Work): Promise<Brought[]> {
  const brought: Brought[] = [];
  for (const id of new Set(manifest.servers.map((server) => server.id))) {
    const one = await bringOne(id, { manifest, isInstall: flags.install === true }, work);
    if (one !== undefined) brought.push(one);
  }
  return brought;
}

/** Returns `undefined` for a server that is for other machines. */
async function bringOne(
  id: string,
  { manifest, isInstall }: { readonly manifest: BundleManifest; readonly isInstall: boolean },
  work: Work,
): Promise<Brought | undefined> {
  const spec = findServer(id);
  const source = spec && pinnedSource(spec);
  if (spec === undefined || source === undefined) {
    return { id, version: undefined, isInstalled: false, missing: ['a version of Serena that knows it'], needs: [] };
  }
  const plan = planOf({ id, source });
  const here = targetName(currentTarget());
  // Many servers are the same on all machines.
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

function renderTaken({ manifest, stored, alreadyThere, ignored }: UnpackResult): string[] {
  const sizes = new Map(manifest.blobs.map(({ integrity, size }) => [integrity, size]));
  const sum = stored.reduce((total, integrity) => total + (sizes.get(integrity) ?? 0), 0);
  const lines = [
    `Made by Serena ${manifest.toolVersion} for ${manifest.platforms.join(', ')}`,
    `${counted(stored.length, 'file')} taken (${megabytes(sum)}), ${alreadyThere.length} here already`,
  ];
  if (ignored.length === 0) return lines;
  const names = manifest.blobs.filter(({ integrity }) => ignored.includes(integrity)).map(({ path }) => `  ${path}`);
  return [...lines, `${counted(ignored.length, 'file')} left alone, because this version does not pin them:`, ...names];
}

function render({ id, version, isInstalled, missing, needs }: Brought): string[] {
  const title = version === undefined ? id : `${id} ${version}`;
  if (missing.length > 0) return [`${title} is not complete. Missing: ${missing.join(', ')}`];
  const state = isInstalled
    ? 'is installed'
    : 'can be installed without network: the first use does, and so does `--install`';
  return [`${title} ${state}`, ...needs.map((need) => `  needs ${need}`)];
}

function sized(sizeBytes: number | undefined): string {
  return sizeBytes === undefined ? '' : ` (${megabytes(sizeBytes)})`;
}
