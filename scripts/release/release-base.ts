import { z } from 'zod';
import { readSource } from '../support/tracked-files.ts';

const Package = z.looseObject({
  repository: z.union([z.string(), z.looseObject({ url: z.string() })]).optional(),
});

/**
 * Returns where versions are downloaded from, without `/` at the end: what was given, else where GitHub keeps the releases
 * of the repository that `package.json` names; empty if it names none.
 *
 * @throws {Error} for something that is no address, and for a repository elsewhere.
 */
export function releaseBase(given: string | undefined): string {
  if (given !== undefined) {
    if (!/^https?:\/\/[^\s']+$/.test(given)) throw new Error(`\`--base-url\` is no address: ${given}`);
    return given.replace(/\/+$/, '');
  }
  const { repository } = Package.parse(JSON.parse(readSource('package.json')));
  if (repository === undefined) return '';
  const url = typeof repository === 'string' ? repository : repository.url;
  const found = /^(?:github:|(?:git\+)?https:\/\/github\.com\/)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url)?.[1];
  if (found === undefined) throw new Error(`Cannot tell where \`${url}\` keeps releases: say it by \`--base-url\``);
  return `https://github.com/${found}/releases/download`;
}
