import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { collectBundle, writeBundleDirectory, writeBundleFile } from '../../install/bundle/pack.ts';
import { megabytes } from '../../install/failures.ts';
import { artifactsOf } from '../../install/source/artifacts.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../report.ts';
import { usageError } from '../usage.ts';
import { type ChoiceFlags, chooseServers } from './choice.ts';
import { separateByLicense } from './license.ts';
import { obtainer } from './obtain.ts';
import { ownPrograms } from './own-programs.ts';
import { plansOf } from './plans.ts';
import { platformsNamed } from './platforms.ts';
import { printJson, printLines, withProgress } from './work.ts';

/** Options of `servers pack`. */
export interface PackFlags extends ChoiceFlags {
  readonly output: string;
  readonly format: 'tar' | 'dir';
  readonly platform?: string;
  readonly includeSelf?: boolean;
  readonly selfFrom?: string;
  /** Ids of servers. */
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
