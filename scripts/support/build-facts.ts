import { z } from 'zod';
import { run } from './run.ts';
import { readSource } from './tracked-files.ts';

/** Facts about a build, equal for two builds of the same commit. */
export interface BuildFacts {
  readonly version: string;
  /** Eight digits, with `-dirty` if the checkout has changes; empty without git. */
  readonly commit: string;
  /** ISO 8601, UTC, whole seconds: `SOURCE_DATE_EPOCH`, else the time of the commit; empty without either. */
  readonly date: string;
}

const Package = z.object({ version: z.string() });

/** Returns the facts about a build of this checkout. @throws {Error} if `SOURCE_DATE_EPOCH` is not a number. */
export async function buildFacts(): Promise<BuildFacts> {
  const { version } = Package.parse(JSON.parse(readSource('package.json')));
  return { version, commit: await commit(), date: await date() };
}

async function commit(): Promise<string> {
  const head = await run('git', ['rev-parse', '--short=8', 'HEAD']);
  if (head.exitCode !== 0) return '';
  const changes = await run('git', ['status', '--porcelain', '--untracked-files=no']);
  return `${head.stdout.trim()}${changes.stdout.trim() === '' ? '' : '-dirty'}`;
}

async function date(): Promise<string> {
  const given = process.env.SOURCE_DATE_EPOCH ?? '';
  if (given !== '' && !/^\d+$/.test(given))
    throw new Error(`\`SOURCE_DATE_EPOCH\` is not a number of seconds: ${given}`);
  const made = given === '' ? await run('git', ['log', '-1', '--format=%ct']) : { exitCode: 0, stdout: given };
  if (made.exitCode !== 0) return '';
  return new Date(Number(made.stdout) * 1000).toISOString().replace('.000Z', 'Z');
}
