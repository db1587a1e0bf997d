import { z } from 'zod';
import { run } from './run.ts';
import { readSource } from './tracked-files.ts';

/** What a build knows of itself. Two builds of one commit have the same. */
export interface BuildFacts {
  readonly version: string;
  /** Eight digits, with `-dirty` where the checkout differs; empty without git. */
  readonly commit: string;
  /** ISO 8601, UTC, whole seconds: `SOURCE_DATE_EPOCH`, else when the commit was made; empty without either. */
  readonly date: string;
}

const Package = z.object({ version: z.string() });

/** Returns the facts about a build of this checkout. @throws {Error} for a `SOURCE_DATE_EPOCH` that is no number. */
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
  if (given !== '' && !/^\d+$/.test(given)) throw new Error(`\`SOURCE_DATE_EPOCH\` is no number of seconds: ${given}`);
  const made = given === '' ? await run('git', ['log', '-1', '--format=%ct']) : { exitCode: 0, stdout: given };
  if (made.exitCode !== 0) return '';
  return new Date(Number(made.stdout) * 1000).toISOString().replace('.000Z', 'Z');
}
