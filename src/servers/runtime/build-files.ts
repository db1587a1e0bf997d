import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { relativeWithin, toUri } from '../../base/paths.ts';
import type { ServerNotification } from '../../lsp/client/language-server.ts';
import type { BuildFiles } from '../quirks.ts';
import type { ServerSpec } from '../spec.ts';

/** Returns the absolute paths of the project's files with these extensions, ignore rules applied. */
export type ListFiles = (extensions: readonly string[], signal: AbortSignal) => Promise<readonly string[]>;

interface BuildFileScope {
  /** Absolute path of the project. */
  readonly root: string;
  /** Absolute paths of the server's workspace folders. */
  readonly workspaceFolders: readonly string[];
  readonly listFiles: ListFiles;
}

/**
 * Returns the notifications that make a server load the build files named in its spec; none for files that do not
 * exist.
 */
export async function buildFileNotifications(
  spec: ServerSpec,
  scope: BuildFileScope,
  signal: AbortSignal,
): Promise<ServerNotification[]> {
  const kinds = spec.quirks?.opensBuildFiles ?? [];
  if (kinds.length === 0) return [];
  const paths = await findFiles(spec, scope, signal);
  return kinds.flatMap((kind) => notificationFor(kind, paths) ?? []);
}

function notificationFor(kind: BuildFiles, paths: readonly string[]): ServerNotification | undefined {
  const uris = paths.filter((path) => kind.extensions.some((extension) => path.endsWith(extension))).map(toUri);
  const [outermost] = uris;
  if (outermost === undefined) return undefined;
  return { method: kind.method, params: { [kind.parameter]: kind.isOutermostOnly ? outermost : uris } };
}

/** Returns the absolute paths of all build files, those with the fewest parent directories first. */
async function findFiles(spec: ServerSpec, scope: BuildFileScope, signal: AbortSignal): Promise<string[]> {
  const { root, workspaceFolders, listFiles } = scope;
  const extensions = (spec.quirks?.opensBuildFiles ?? []).flatMap((kind) => kind.extensions);
  const own = (await listFiles(extensions, signal)).filter((path) =>
    workspaceFolders.some((directory) => relativeWithin(directory, path) !== undefined),
  );
  const outside = workspaceFolders.filter((directory) => relativeWithin(root, directory) === undefined);
  const others = await Promise.all(outside.map((directory) => filesBelow(directory, spec, extensions)));
  return [own, ...others].flatMap((paths) => [...new Set(paths)].sort(byDepth));
}

/** Returns the build files below a directory outside the project, where the project's ignore rules do not apply. */
async function filesBelow(directory: string, spec: ServerSpec, extensions: readonly string[]): Promise<string[]> {
  try {
    const names = await readdir(directory, { recursive: true });
    const isIgnored = (name: string) => name.split(sep).some((part) => spec.ignoredDirectories.includes(part));
    const matching = names.filter((name) => extensions.some((extension) => name.endsWith(extension)));
    return matching.filter((name) => !isIgnored(name)).map((name) => join(directory, name));
  } catch (error) {
    log('servers').warn(`${spec.name} loads no projects below \`${directory}\`: ${messageOf(error)}`);
    return [];
  }
}

function byDepth(a: string, b: string): number {
  return a.split(sep).length - b.split(sep).length || (a < b ? -1 : 1);
}
