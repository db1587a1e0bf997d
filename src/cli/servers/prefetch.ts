import { statSync } from 'node:fs';
import { counted } from '../../base/counted.ts';
import { megabytes } from '../../install/failures.ts';
import { artifactsOf } from '../../install/source/artifacts.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { type ChoiceFlags, chooseServers } from './choice.ts';
import { obtainer } from './obtain.ts';
import { plansOf } from './plans.ts';
import { platformsNamed } from './platforms.ts';
import { printJson, printLines, withProgress } from './work.ts';

/** Options of `servers prefetch`. */
export interface PrefetchFlags extends ChoiceFlags {
  readonly platform?: string;
  readonly json?: boolean;
}

/**
 * Downloads the artifacts of servers without installing them. Returns the exit code.
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
  const artifacts = artifactsOf(plans);
  const blobs = await withProgress(environment, {}, async (work) => {
    const obtain = obtainer(artifacts, work);
    const found: { title: string; integrity: string; path: string; sizeBytes: number }[] = [];
    for (const artifact of artifacts) {
      const path = await obtain(artifact);
      const { title, integrity } = artifact;
      found.push({ title, integrity, path, sizeBytes: statSync(path).size });
    }
    return found;
  });
  if (flags.json) printJson({ blobs, left });
  else {
    const sum = blobs.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
    printLines([`${counted(blobs.length, 'file')} available locally (${megabytes(sum)})`]);
  }
  for (const { reason } of left) ownCaller.report(`Left out: ${reason}\n`);
  return exitCodes.ok;
}
