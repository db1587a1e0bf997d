import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/paths.ts';
import type { Artifact } from '../artifact.ts';
import { packZip } from '../pack-archive.ts';
import { programDirectory, type Release } from '../release.ts';
import { programName, type ReleaseTarget } from '../targets.ts';
import { type Description, homepageOf, readDescription } from './channel.ts';

/** Packs a `.mcpb` bundle for each target that has one. */
export function packBundles(release: Release): Promise<Artifact[]> {
  const about = { ...readDescription(), version: release.facts.version, homepage: homepageOf(release) };
  const license = { name: 'LICENSE', bytes: readFileSync(join(root, 'LICENSE')), isProgram: false };
  const notices = readFileSync(join(release.published, 'THIRD-PARTY-NOTICES.txt'));
  const artifacts = release.targets.filter(hasBundle).map((target): Artifact => {
    const file = `serena-${target.id}.mcpb`;
    const program = readFileSync(join(programDirectory(release, target), programName(target)));
    const manifest = `${JSON.stringify(bundleManifest(about, target), undefined, 2)}\n`;
    const files = [
      { name: 'manifest.json', bytes: Buffer.from(manifest), isProgram: false },
      { name: `server/${programName(target)}`, bytes: program, isProgram: true },
      license,
      { name: 'THIRD-PARTY-NOTICES.txt', bytes: notices, isProgram: false },
    ];
    writeFileSync(join(release.published, file), packZip(files, release.modified));
    console.log(`Packed ${file}`);
    return { file, kind: 'bundle', target: target.id };
  });
  return Promise.resolve(artifacts);
}

/** Targets of bundles. Clients choose by operating system only, and none of them runs on musl. */
function hasBundle({ libc }: ReleaseTarget): boolean {
  return libc !== 'musl';
}

/** Returns the manifest of the `.mcpb` bundle for `target`, version 0.4. */
export function bundleManifest(
  about: Description & { readonly version: string; readonly homepage: string },
  target: ReleaseTarget,
): object {
  const entry = `server/${programName(target)}`;
  const { name, title, version, summary, text, author, homepage, license, keywords } = about;
  return {
    manifest_version: '0.4',
    name,
    display_name: title,
    version,
    description: summary,
    long_description: text,
    author: { name: author },
    ...(homepage === '' ? {} : { homepage }),
    license,
    keywords,
    server: {
      type: 'binary',
      entry_point: entry,
      mcp_config: {
        command: `\${__dirname}/${entry}`,
        // Without a project: the user names one in the conversation.
        args: ['start-mcp-server', '--context=desktop-app'],
        env: {},
      },
    },
    // The list of tools depends on the configuration.
    tools_generated: true,
    prompts_generated: true,
    compatibility: { platforms: [target.os] },
  };
}
