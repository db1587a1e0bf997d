import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Artifact } from '../artifact.ts';
import type { Release } from '../release.ts';
import { aur } from './aur.ts';
import {
  type Channel,
  type ChannelFacts,
  homepageOf,
  type PublishedArchive,
  readDescription,
  targetOf,
} from './channel.ts';
import { claudePlugin } from './claude-plugin.ts';
import { devcontainer } from './devcontainer.ts';
import { githubAction } from './github-action.ts';
import { homebrew } from './homebrew.ts';
import { nix } from './nix.ts';
import { imageTargets, writeImage } from './oci.ts';
import { scoop } from './scoop.ts';
import { serverJson } from './server-json.ts';
import { winget } from './winget.ts';

/** All channels whose files are texts, by the name of their directory. */
export const channels: Readonly<Record<string, Channel>> = {
  aur,
  'claude-plugin': claudePlugin,
  devcontainer,
  'github-action': githubAction,
  homebrew,
  'mcp-registry': serverJson,
  nix,
  scoop,
  winget,
};

/**
 * Writes the files of all channels to `channels` beside the published directory, after everything that they name was
 * published there.
 *
 * @throws {Error} if the base URL is unknown, or an archive is missing.
 */
export async function writeChannels(release: Release, artifacts: readonly Artifact[]): Promise<void> {
  if (release.base === '') throw new Error('The files of channels contain the base URL: pass `--base-url`');
  const directory = join(release.directory, 'channels');
  rmSync(directory, { recursive: true, force: true });
  const facts = channelFacts(release, artifacts);
  for (const [name, channel] of Object.entries(channels)) {
    for (const { path, text, isProgram } of channel(facts)) {
      const file = join(directory, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      if (isProgram) chmodSync(file, 0o755);
    }
  }
  await writeImage(join(directory, 'oci'), imageTargets(release), release, facts);
  console.log(`Wrote ${directory}`);
}

/** Returns the facts about a release for its channels. */
export function channelFacts(release: Release, artifacts: readonly Artifact[]): ChannelFacts {
  const read = (file: string) => readFileSync(join(release.published, file));
  const published = (file: string, target: string): PublishedArchive => ({
    target: targetOf(target),
    file,
    url: `${release.base}/v${release.facts.version}/${file}`,
    sha256: createHash('sha256').update(read(file)).digest('hex'),
  });
  const ofKind = (kind: Artifact['kind'], fits: RegExp) =>
    artifacts.flatMap(({ kind: found, file, target }) =>
      found === kind && fits.test(file) && target !== undefined ? [published(file, target)] : [],
    );
  return {
    ...readDescription(),
    version: release.facts.version,
    homepage: homepageOf(release),
    archives: ofKind('program', /\.(tar\.gz|zip)$/),
    bundles: ofKind('bundle', /\.mcpb$/),
    installers: { sh: read('install.sh').toString('utf8'), ps1: read('install.ps1').toString('utf8') },
  };
}
