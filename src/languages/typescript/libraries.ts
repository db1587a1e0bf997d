import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { attempt } from '../../base/attempt.ts';
import { parseBoundedJson } from '../../base/bounded-json.ts';
import { tryStat } from '../../base/file-state.ts';
import { namesIn } from '../../base/files.ts';
import { realPath, relativeWithin } from '../../base/paths.ts';
import type {
  DependencyProvider,
  DependentProject,
  MissingDependencies,
} from '../../project/dependencies/dependency-provider.ts';
import {
  isLink,
  isPlainDirectory,
  type ManifestReader,
  missingPackages,
  realDirectory,
} from '../../project/dependencies/manifest-reader.ts';

/** The packages in the nearest `node_modules`: that of the project's root or, as for Node.js, of a directory above it. */
export const nodePackages: DependencyProvider = {
  name: 'node',
  title: 'packages of Node.js',
  extensions: ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'],
  usedBy: ['.vue', '.svelte', '.astro', '.mdx'],
  // Packages of packages, and the stores of pnpm and npm, whose packages are found through links to them.
  skippedDirectories: ['node_modules', '.pnpm', '.store'],
  find(project, manifests) {
    const directory = nearestModules(project);
    if (directory === undefined) return { roots: [], missing: () => [noModules(project)] };
    const manifest = () => manifestIn(project.root, manifests);
    const links = () => linkedPackages(directory, packagesIn(directory), project.root);
    return {
      roots: [{ directory, links: () => links().inside }],
      missing: () => [
        ...notInstalled(manifest(), packagesIn(directory)),
        ...missingPackages(links().outside, 'links lead out of `node_modules`:', 'Open these packages as projects'),
        ...ofWorkspaces(project, manifest()),
      ],
    };
  },
};

function nearestModules({ root, isTrusted }: DependentProject): string | undefined {
  const found = modulesFrom(root).find((path) => isLink(path) || isPlainDirectory(path));
  if (found === undefined || !isLink(found)) return found;
  const real = isTrusted ? realDirectory(found) : undefined;
  return real !== undefined && basename(real) === 'node_modules' ? real : undefined;
}

function modulesFrom(directory: string): string[] {
  const path = join(directory, 'node_modules');
  return dirname(directory) === directory ? [path] : [path, ...modulesFrom(dirname(directory))];
}

function noModules({ root }: DependentProject): MissingDependencies {
  const next = 'Install the packages of the project';
  if (!isLink(join(root, 'node_modules'))) return { reason: 'the project has no `node_modules`', next };
  return { reason: '`node_modules` is a link; only trusted projects may have one, to another `node_modules`', next };
}

/** Returns the names of the packages, with their scopes. */
function packagesIn(directory: string): string[] {
  return namesIn(directory).flatMap((name) => {
    if (name.startsWith('.')) return [];
    return name.startsWith('@') ? namesIn(join(directory, name)).map((inner) => `${name}/${inner}`) : [name];
  });
}

/** Returns the packages that are links, by where these lead; links to packages of the project itself are left out. */
function linkedPackages(
  directory: string,
  names: readonly string[],
  root: string,
): { inside: string[]; outside: string[] } {
  const links: { inside: string[]; outside: string[] } = { inside: [], outside: [] };
  for (const name of names) {
    const path = join(directory, name);
    const real = realPath(path);
    if (real === path && !isLink(path)) continue;
    // The real path of a link to nowhere is the link itself.
    if (real !== path && relativeWithin(directory, real) !== undefined) links.inside.push(name);
    else if (real === path || relativeWithin(root, real) === undefined) links.outside.push(name);
  }
  return links;
}

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.unknown()).catch({}),
  devDependencies: z.record(z.string(), z.unknown()).catch({}),
  workspaces: z.unknown(),
});

type Manifest = Partial<z.infer<typeof manifestSchema>>;

function manifestIn(root: string, manifests: ManifestReader): Manifest {
  return attempt(() => manifestSchema.parse(parseBoundedJson(manifests.textIn(root, 'package.json'))), {});
}

function notInstalled({ dependencies, devDependencies }: Manifest, names: readonly string[]): MissingDependencies[] {
  const installed = new Set(names);
  const missing = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !installed.has(name));
  return missingPackages(missing, '`node_modules` does not contain', 'Install the packages of the project');
}

function ofWorkspaces({ root }: DependentProject, { workspaces }: Manifest): MissingDependencies[] {
  const isPnpm = tryStat(join(root, 'pnpm-workspace.yaml')) !== undefined;
  if (!isPnpm && workspaces === undefined) return [];
  const reason = 'the `node_modules` of workspaces are not searched, only that of the root';
  return [{ reason, next: 'Open a workspace as a project to search its own packages' }];
}
