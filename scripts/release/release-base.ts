import { z } from 'zod';
import { readSource } from '../support/tracked-files.ts';

const Package = z.looseObject({
  repository: z.union([z.string(), z.looseObject({ url: z.string() })]).optional(),
});

/**
 * Returns the base URL of downloads without a trailing `/`: the given one, else the GitHub releases of the repository in
 * `package.json`; empty if it has none.
 *
 * @throws {Error} for an invalid URL, and for a repository that is not on GitHub.
 */
export function releaseBase(given: string | undefined): string {
  if (given !== undefined) {
    if (!/^https?:\/\/[^\s']+$/.test(given)) throw new Error(`\`--base-url\` is not a valid URL: ${given}`);
    return given.replace(/\/+$/, '');
  }
  const { repository } = Package.parse(JSON.parse(readSource('package.json')));
  if (repository === undefined) return '';
  const url = typeof repository === 'string' ? repository : repository.url;
  const found = /^(?:github:|(?:git\+)?https:\/\/github\.com\/)([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url)?.[1];
  if (found === undefined) throw new Error(`Unknown download URL of the releases of \`${url}\`: pass \`--base-url\``);
  return `https://github.com/${found}/releases/download`;
}
