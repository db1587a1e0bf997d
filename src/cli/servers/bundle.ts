import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import { readTextIfExists } from '../../base/files.ts';
import type { BundleManifest } from '../../install/bundle/manifest.ts';
import { collectBundle, writeBundleDirectory, writeBundleFile } from '../../install/bundle/pack.ts';
import { type UnpackResult, unpackBundle } from '../../install/bundle/unpack.ts';
import { megabytes } from '../../install/failures.ts';
import { findInstalled } from '../../install/install.ts';
import { embeddedLock, pinnedBlobs } from '../../install/lock/server-lock.ts';
import { artifactsOf, missingArtifacts, planOf } from '../../install/source/plan.ts';
import { currentTarget, releaseName, type Target, targetName } from '../../install/target.ts';
import { catalog } from '../../languages/servers.ts';
import { installRequest, pinnedSource } from '../../servers/runtime/resolve.ts';
import { missingRuntimes } from '../../servers/runtime/system-programs.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { printJson, printLines } from '../output.ts';
import { type Work, withProgress } from '../progress.ts';
import { exitCodes, usageError } from '../report.ts';
import { type ChoiceFlags, chooseServers, plansOf, platformsNamed, separateByLicense } from './choice.ts';
import { installServer, obtainer } from './install.ts';

/** Options of `servers pack`. */
export interface PackFlags extends ChoiceFlags {
  readonly output: string;
  readonly format: 'tar' | 'dir';
  readonly platform?: string;
  readonly includeSelf?: boolean;
  readonly selfFrom?: string;
  readonly acceptLicense?: readonly string[];
  readonly json?: boolean;
}

/**
 * Packs the artifacts of servers into one file, or a directory, for machines without a network. Returns the exit code.
 *
 * @throws {ExpectedError} `usage.invalid`; `install.not-redistributable`; `install.*` for unavailable artifacts.
 */
export async function packServers(
  words: readonly string[],
  flags: PackFlags,
  environment: Environment,
): Promise<number> {
  const targets = platformsNamed(flags.platform);
  const choice = await chooseServers(words, flags, environment);
  const { permitted, refused } = separateByLicense(choice, flags.acceptLicense ?? []);
  const { plans, left: unavailable } = plansOf(permitted, targets);
  const left = [...unavailable, ...refused];
  const programs = flags.includeSelf || flags.selfFrom ? ownPrograms(targets, flags.selfFrom, environment) : {};
  const createdAt = sourceDate(environment.env);
  const output = resolve(environment.cwd, flags.output);
  const manifest = await withProgress(environment, {}, async (work) => {
    const obtain = obtainer(artifactsOf(plans), work);
    const contents = await collectBundle({
      ...{ plans, toolVersion: environment.version, createdAt, programs, obtain },
    });
    work.report({ message: `Writing ${output}` });
    if (flags.format === 'dir') writeBundleDirectory(contents, output, work.signal);
    else await writeBundleFile(contents, output, work.signal);
    return contents.manifest;
  });
  const sizeBytes = flags.format === 'dir' ? undefined : statSync(output).size;
  if (flags.json) printJson({ path: output, ...(sizeBytes === undefined ? {} : { sizeBytes }), manifest, left });
  else {
    const packed = manifest.servers.map(({ id, version, target }) => `${id} ${version} for ${target}`);
    printLines([...packed, `${output}${sizeBytes === undefined ? '' : ` (${megabytes(sizeBytes)})`}`]);
  }
  for (const { reason } of left) ownCaller.report(`Left out: ${reason}\n`);
  return exitCodes.ok;
}

/** Timestamp of the bundle: from the environment or absent, so that equal contents give identical bundles. */
function sourceDate({ SOURCE_DATE_EPOCH: text }: Environment['env']): number | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const seconds = Number(text);
  if (Number.isSafeInteger(seconds) && seconds >= 0 && seconds < 2 ** 36) return seconds;
  throw usageError(`\`SOURCE_DATE_EPOCH\` is not a number of seconds: ${text}`, [
    'Unset it, or set it to seconds since 1970',
  ]);
}

/**
 * Returns the absolute paths of this program for each of `targets`, by its name in a bundle: the running program for this
 * platform, others from `directory` with the files of a release, verified with its `SHA256SUMS`.
 *
 * @throws {ExpectedError} `file.not-found` if one is missing; `install.hash-mismatch`.
 */
function ownPrograms(
  targets: readonly Target[],
  directory: string | undefined,
  { command, cwd }: Environment,
): Record<string, string> {
  const from = directory === undefined ? undefined : resolve(cwd, directory);
  const named = targets.map((target): [string, string] => {
    const name = programName(target);
    const isHere = targetName(target) === targetName(currentTarget());
    if (from !== undefined && existsSync(join(from, name))) return [name, verified(from, name)];
    if (isHere && command.length === 1) return [name, command[0]];
    throw notFound(name, from, isHere);
  });
  return Object.fromEntries(named);
}

function programName(target: Target): string {
  const name = `serena-${releaseName(target)}`;
  return target.os === 'win32' ? `${name}.exe` : name;
}

function verified(directory: string, name: string): string {
  const path = join(directory, name);
  const sums = readTextIfExists(join(directory, 'SHA256SUMS'));
  const expected = sums
    ?.split('\n')
    .map((line) => line.split(/\s+\*?/))
    .find(([, file]) => file === name)?.[0];
  if (sums === undefined) return path;
  const found = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (found === expected) return path;
  const message = `cannot pack \`${path}\`: it is not the file that \`SHA256SUMS\` lists\n  expected: ${expected ?? 'no such file'}\n  found:    ${found}`;
  throw new ExpectedError('install.hash-mismatch', message, { hints: ['download the release again'] });
}

function notFound(name: string, directory: string | undefined, isHere: boolean): ExpectedError {
  const where = directory === undefined ? '' : ` in \`${directory}\``;
  const hints = isHere ? ['run the command with a compiled program, not from the sources'] : [];
  return new ExpectedError('file.not-found', `cannot find the program \`${name}\` to pack${where}`, {
    hints: [...hints, 'pass the directory of a downloaded release with `--self-from`'],
  });
}

/** Options of `servers unpack`. */
export interface UnpackFlags {
  readonly install?: boolean;
  readonly json?: boolean;
}

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
