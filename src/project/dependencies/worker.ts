/** Entry point of the worker thread that locates the dependencies of one project. */
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { serveRequests } from '../../base/worker-protocol.ts';
import { providers } from '../../languages/libraries.ts';
import type {
  DependencyOperations,
  DependencyRoot,
  DependentProject,
  LocatedDependencies,
} from './dependency-provider.ts';
import { isPlainDirectory, ManifestReader } from './manifest-reader.ts';

if (parentPort !== null) {
  const project: DependentProject = workerData;
  serveRequests<DependencyOperations>(parentPort, ({ query }) => ({ answer: locate(query.name, project) }));
}

function locate(name: string, project: DependentProject): LocatedDependencies {
  const provider = providers.find((one) => one.name === name);
  if (provider === undefined) throw new Error(`unknown dependencies: ${name}`);
  const manifests = new ManifestReader();
  const found = provider.find(project, manifests);
  const roots = found.roots.map((root) => ({
    directory: root.directory,
    packages: root.packages,
    places: placesIn(root),
  }));
  const missing = found.missing();
  const { leftOut } = manifests;
  return { roots, archives: found.archives, missing: [...missing, ...leftOut], leftOut };
}

/** Returns the paths of the directories that a search covers. */
function placesIn({ directory, packages, links }: DependencyRoot): readonly string[] {
  if (packages === undefined) return ['', ...(links?.() ?? [])];
  return packages.filter((one) => isPlainDirectory(join(directory, one)));
}
