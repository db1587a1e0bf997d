import { statSync } from 'node:fs';
import type { Artefact } from '../../install/artefact.ts';
import { findBlob } from '../../install/blobs.ts';
import { megabytes } from '../../install/failures.ts';
import { fetchBlob, requireNetwork } from '../../install/fetch.ts';
import type { Plan } from '../../install/plan.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { type ChoiceFlags, chooseServers } from '../servers/choice.ts';
import { plansOf } from '../servers/plans.ts';
import { platformsNamed } from '../servers/platforms.ts';
import { printJson, printLines, type Work, withProgress } from '../servers/work.ts';

/** Options of `servers prefetch`. */
export interface PrefetchFlags extends ChoiceFlags {
  readonly platform?: string;
  readonly json?: boolean;
}

/**
 * Fetches what servers are made of and keeps it as it was published, without installing anything. Returns the exit code.
 *
 * @throws {ExpectedError} `usage.invalid`; `install.*`.
 */
export async function prefetchServers(
  words: readonly string[],
  flags: PrefetchFlags,
  environment: Environment,
): Promise<number> {
  const targets = platformsNamed(flags.platform);
  const { plans, left } = plansOf(await chooseServers(words, flags, environment), targets);
  const artefacts = artefactsOf(plans);
  const blobs = await withProgress(environment, {}, async (work) => {
    requireReachable(artefacts, work);
    const found: { title: string; integrity: string; path: string; sizeBytes: number }[] = [];
    for (const [index, artefact] of artefacts.entries()) {
      const path = await fetchOne(artefact, { index, count: artefacts.length }, work);
      const { title, integrity } = artefact;
      found.push({ title, integrity, path, sizeBytes: statSync(path).size });
    }
    return found;
  });
  if (flags.json) printJson({ blobs, left });
  else {
    const sum = blobs.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
    printLines([`${blobs.length} ${blobs.length === 1 ? 'file' : 'files'}, ${megabytes(sum)}, are here now`]);
  }
  for (const { reason } of left) process.stderr.write(`Left out: ${reason}\n`);
  return exitCodes.ok;
}

/** Returns what `plans` are put together of, each artefact once. */
export function artefactsOf(plans: readonly Plan[]): Artefact[] {
  const all = plans.flatMap(({ placements }) => (placements ?? []).map(({ artefact }) => artefact));
  return [...new Map(all.map((artefact) => [artefact.integrity, artefact])).values()];
}

/**
 * Names all that would have to be fetched, before anything is, where the user forbids connections.
 *
 * @throws {ExpectedError} `install.download-failed`.
 */
export function requireReachable(artefacts: readonly Artefact[], work: Work): void {
  const missing = artefacts.filter(({ integrity }) => findBlob(work, integrity) === undefined);
  if (missing.length > 0) requireNetwork(missing, work);
}

/** Fetches one artefact of several, unless it is here, and returns its path. @throws {ExpectedError} `install.*`. */
export function fetchOne(
  artefact: Artefact,
  { index, count }: { readonly index: number; readonly count: number },
  { home, env, signal, report }: Work,
): Promise<string> {
  const place = count === 1 ? '' : `${index + 1} of ${count}: `;
  return fetchBlob(artefact, {
    home,
    env,
    signal,
    report: (progress) => report({ ...progress, message: `${place}${progress.message}` }),
  });
}
