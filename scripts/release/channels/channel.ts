import { z } from 'zod';
import { readSource } from '../../support/tracked-files.ts';
import type { Release } from '../release.ts';
import { type ReleaseTarget, releaseTargets } from '../targets.ts';

const Text = z.strictObject({
  /** Of the command and of packages. */
  name: z.string(),
  title: z.string(),
  /** One line without a full stop; Homebrew allows 80 characters. */
  summary: z.string().max(79),
  /** A paragraph. */
  text: z.string(),
  keywords: z.array(z.string()),
  author: z.string(),
  wingetId: z.string().regex(/^\w+(\.\w+)+$/),
  aurPackage: z.string(),
});

const Package = z.looseObject({
  name: z.string(),
  license: z.string(),
  /** Name in the MCP registry, which compares it with that of the npm package: the owner's reversed domain, `/`, a name. */
  mcpName: z.string().regex(/^[\w.-]+\/[\w.-]+$/),
});

/** What all channels say about the program. */
export interface Description extends z.infer<typeof Text> {
  readonly npmPackage: string;
  readonly license: string;
  readonly mcpName: string;
}

/** A published file with the program of one target. */
export interface PublishedArchive {
  readonly target: ReleaseTarget;
  /** File name. */
  readonly file: string;
  readonly url: string;
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
}

/** Facts that the files of a channel are generated from. */
export interface ChannelFacts extends Description {
  readonly version: string;
  /** Address of the project. */
  readonly homepage: string;
  /** Archives that every machine can unpack, one per target: `.tar.gz`, and `.zip` for Windows. */
  readonly archives: readonly PublishedArchive[];
  /** `.mcpb` bundles. */
  readonly bundles: readonly PublishedArchive[];
  /** Texts of the published installers, which verify what they download. */
  readonly installers: { readonly sh: string; readonly ps1: string };
}

/** A text file of a channel. */
export interface ChannelFile {
  /** Path below the channel's directory, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly isProgram?: boolean;
}

/** Generates the files of one channel. */
export type Channel = (facts: ChannelFacts) => readonly ChannelFile[];

/** Returns the description of the program for channels: `description.json`, and what `package.json` has already. */
export function readDescription(): Description {
  const text = Text.parse(JSON.parse(readSource('scripts/release/channels/description.json')));
  const { name, license, mcpName } = Package.parse(JSON.parse(readSource('package.json')));
  return { ...text, npmPackage: name, license, mcpName };
}

/** Returns the address of the project whose releases are published at `base`. */
export function homepageOf({ base }: Pick<Release, 'base'>): string {
  return base.replace(/\/releases\/download$/, '');
}

/** Returns the target with this id. @throws {Error} if there is none. */
export function targetOf(id: string): ReleaseTarget {
  const found = releaseTargets.find((target) => target.id === id);
  if (found === undefined) throw new Error(`Unknown target \`${id}\``);
  return found;
}

/** Returns the archive for the target `id`. @throws {Error} if the release has none. */
export function archiveFor({ archives }: ChannelFacts, id: string): PublishedArchive {
  const found = archives.find(({ target }) => target.id === id);
  if (found === undefined) throw new Error(`The release has no archive for \`${id}\``);
  return found;
}

/** Returns a JSON file of a channel. */
export function jsonFile(path: string, content: unknown): ChannelFile {
  return { path, text: `${JSON.stringify(content, undefined, 2)}\n` };
}
