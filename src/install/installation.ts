import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { satisfies } from 'semver';
import { z } from 'zod';
import { ExpectedError, isExpected } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { forbidden, megabytes, writeFailure } from './failures.ts';
import { fetchFromMirrorTo, fetchTo, requireNetwork, verifiedBlob } from './fetch/fetch.ts';
import { installFromGo } from './fetch/go.ts';
import type { InstallJob } from './fetch/job.ts';
import { isOffline } from './fetch/network.ts';
import { installWithTool, recipeOf, toolKey, unverifiable } from './fetch/tools.ts';
import type { GoLock, ServerLock } from './lock/server-lock.ts';
import { writeRuntimeFiles } from './runtime/js-runtime.ts';
import type { Artifact, Placement } from './source/artifact.ts';
import { type Plan, planOf, sumOfSizes } from './source/plan.ts';
import { type InstallableSource, isPinnedSource } from './source/source.ts';
import { incompatibleVersion, type VersionChoice } from './source/version-choice.ts';
import { currentTarget, type Target } from './target.ts';
import { place } from './unpack/place.ts';

/** A planned installation: its directory's content and the function that assembles it. */
export interface Installation {
  /** Such as `pyright 1.1.414`; for messages. */
  readonly title: string;
  readonly version: string;
  /** Changes with every byte of the installation. */
  readonly key: string;
  /** The entry script or the program, relative to the installation, with `/`. */
  readonly program: string;
  readonly directoryName: string;
  /** Titles of the packages or modules in it; recorded in the receipt. */
  readonly contents: readonly string[];
  readonly target: Target;
  /** Fetches, verifies, unpacks or builds everything into `job.staging`. */
  assemble(job: InstallJob): Promise<void>;
}

/**
 * Returns the planned installation of server `id` from `source`. Reads only the lock.
 *
 * @throws {ExpectedError} `install.not-pinned`, also for a source that cannot be verified unless the user allows it;
 *   `config.invalid` for an unusable version in the user's settings.
 */
export function installationOf(request: {
  readonly id: string;
  readonly source: InstallableSource;
  readonly lock?: ServerLock | undefined;
  readonly choice?: VersionChoice | undefined;
  readonly allowsUnverified?: boolean | undefined;
}): Installation {
  const { id, source } = request;
  if (isPinnedSource(source)) return ofPlan(planOf({ ...request, source }));
  if (!request.allowsUnverified) throw unverifiable(id, source);
  const { title, program } = recipeOf(source);
  const key = toolKey(source);
  const { version } = source;
  return {
    ...{ title, version, key, program, contents: [title], target: currentTarget() },
    directoryName: `${version}-${key}`,
    assemble: async (job) => {
      await installWithTool(job, source);
      finishProgram(job, { program, hasModes: true });
    },
  };
}

function ofPlan(plan: Plan): Installation {
  const { title, entry, key, program, directoryName, target } = plan;
  return {
    ...{ title, version: entry.version, key, program, directoryName, contents: contentsOf(plan), target },
    assemble: async (job) => {
      await assemble(job, plan);
      if (entry.source === 'npm') writeRuntimeFiles(job.home);
    },
  };
}

function contentsOf({ entry, placements }: Plan): string[] {
  if (entry.source === 'go') return entry.modules.map(({ name, version }) => `${name}@${version}`);
  return (placements ?? []).map(({ artifact }) => artifact.title);
}

// npm opens up to 15 connections to a registry; half of that stays within the per-client limits of mirrors.
const maxDownloads = 8;

/**
 * Fills `job.staging` according to `plan`: takes each artifact from a blob, the user's mirror or its origin, verifies
 * it and unpacks it. A Go program without a prebuilt binary is built.
 *
 * @throws {ExpectedError} any `install.*` code; the signal's reason once it aborts.
 */
export async function assemble(job: InstallJob, plan: Plan): Promise<void> {
  const { placements, entry } = plan;
  if (entry.source === 'go') {
    const isComplete = placements !== undefined && (await placePrebuilt(job, placements));
    if (!isComplete) await build(job, plan, entry);
  } else {
    await placeAll(job, placements ?? []);
  }
  if (plan.chosenPackage !== undefined) requireDependencies(job, plan, plan.chosenPackage);
  finishProgram(job, { program: plan.program, hasModes: entry.source === 'npm' });
}

async function build(job: InstallJob, { placements = [], program }: Plan, lock: GoLock): Promise<void> {
  try {
    await installFromGo(job, lock, program);
  } catch (error) {
    const isLacking = isExpected(error, 'install.download-failed', 'install.runtime-missing');
    if (!isLacking || !isOffline(job.env) || placements.length === 0) throw error;
    const missing = placements.map(({ artifact }) => artifact);
    throw forbidden(missing, '`SERENA_OFFLINE` is set, and Go cannot build it from the local module cache', job);
  }
}

async function placeAll(job: InstallJob, placements: readonly Placement[]): Promise<void> {
  const located = await withBlobs(placements, job);
  const missing = located.filter(({ blob }) => blob === undefined).map(({ placement }) => placement.artifact);
  if (missing.length > 0) requireNetwork(missing, job);
  const failure = new AbortController();
  const working = { ...job, signal: AbortSignal.any([job.signal, failure.signal]) };
  const progress = downloadProgress(job, missing);
  await runConcurrently([...located.entries()], failure, async ([index, { placement, blob }]) => {
    const { artifact } = placement;
    const path = blob ?? join(job.scratch, String(index));
    try {
      if (blob === undefined) await fetchTo(artifact, { path, onReceived: progress() }, working);
      await place(placement, path, working);
      if (blob === undefined) rmSync(path, { force: true });
    } catch (error) {
      throw writeFailure(error, job, artifact.unpackedBytes);
    }
  });
}

/** Checks that the pinned packages satisfy the dependencies of a package whose version the user chose. */
function requireDependencies(job: InstallJob, plan: Plan, dest: string): void {
  const missing = missingDependency(job.staging, dest);
  if (missing === undefined) return;
  throw incompatibleVersion(job.id, plan.title, `it needs \`${missing}\`, which the pinned packages do not satisfy`);
}

/**
 * Checks that the installation has its program, and makes it executable unless the package `hasModes`: not every
 * archive records the execute bit.
 *
 * @throws {ExpectedError} `install.failed` if the program is missing.
 */
function finishProgram(
  { staging, title }: InstallJob,
  { program, hasModes }: { program: string; hasModes: boolean },
): void {
  const path = join(staging, program);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new ExpectedError(
      'install.failed',
      `cannot install ${title}: the published files do not contain \`${program}\``,
      {
        hints: ['update this program: it expects a different layout of the release'],
      },
    );
  }
  if (found.isFile() && !hasModes) chmodSync(path, 0o755);
}

interface LocatedPlacement {
  readonly placement: Placement;
  /** Absolute path of the verified bytes, if they are already on this machine. */
  readonly blob: string | undefined;
}

async function withBlobs(placements: readonly Placement[], job: InstallJob): Promise<LocatedPlacement[]> {
  const located: LocatedPlacement[] = [];
  for (const placement of placements) located.push({ placement, blob: await verifiedBlob(placement.artifact, job) });
  return located;
}

/**
 * Places the artifacts that a blob or the mirror has. Returns true if that is all of them, so that no build is needed.
 */
async function placePrebuilt(job: InstallJob, placements: readonly Placement[]): Promise<boolean> {
  for (const { placement, blob } of await withBlobs(placements, job)) {
    const path = blob ?? join(job.scratch, 'prebuilt');
    if (blob === undefined && !(await fetchFromMirrorTo(placement.artifact, { path }, job))) return false;
    await place(placement, path, job);
  }
  return true;
}

/**
 * Runs `work` on all items, up to 8 at a time. The first failure stops the rest and is thrown once all have stopped.
 */
async function runConcurrently<T>(
  items: readonly T[],
  failure: AbortController,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  let firstError: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (const item of queue) {
      if (firstError !== undefined) return;
      try {
        await work(item);
      } catch (error) {
        firstError ??= { error };
        failure.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: maxDownloads }, worker));
  if (firstError !== undefined) throw firstError.error;
}

/** Reports the bytes received of all `missing` artifacts. The total is omitted if any size is unknown. */
function downloadProgress(job: InstallJob, missing: readonly Artifact[]): () => (receivedBytes: number) => void {
  const total = sumOfSizes(missing.map(({ sizeBytes }) => sizeBytes));
  const message = `Downloading ${job.title}${total === undefined ? '' : ` (${megabytes(total)})`}`;
  let done = 0;
  return () => {
    let before = 0;
    return (receivedBytes) => {
      done += receivedBytes - before;
      before = receivedBytes;
      job.report({ message, done, ...(total === undefined ? {} : { total }) });
    };
  };
}

const manifestSchema = z.looseObject({
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});

/**
 * Returns the first dependency, as `name@range`, of the package at `dest` (relative to the installation in `directory`,
 * with `/`) that no installed package satisfies; `undefined` if all are satisfied.
 */
export function missingDependency(directory: string, dest: string): string | undefined {
  const manifest = readManifest(join(directory, dest));
  const optional = Object.keys(manifest?.optionalDependencies ?? {});
  const needed = Object.entries({ ...manifest?.dependencies, ...manifest?.optionalDependencies });
  for (const [name, range] of needed) {
    const version = directoriesAbove(dest)
      .map((above) => readManifest(join(directory, above, 'node_modules', name))?.version)
      .find((found) => found !== undefined);
    if (version === undefined && optional.includes(name)) continue;
    if (version === undefined || !satisfies(version, rangeOf(range))) return `${name}@${range}`;
  }
  return undefined;
}

/**
 * Returns the directories whose `node_modules` Node searches: that of the importing package, then each one above it.
 */
function directoriesAbove(dest: string): string[] {
  const parts = dest.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/')).concat('');
}

/** Returns the version range of a dependency without the alias of `npm:<name>@<range>`. */
function rangeOf(range: string): string {
  return range.startsWith('npm:') ? range.slice(range.lastIndexOf('@') + 1) : range;
}

function readManifest(directory: string) {
  const text = readTextIfExists(join(directory, 'package.json'));
  return text === undefined ? undefined : manifestSchema.safeParse(JSON.parse(text)).data;
}
