import { isExpected } from '../../base/errors.ts';
import type { Project } from '../../project/project.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { IdentifierResult } from '../../search/scan-protocol.ts';
import { isOutside, type Place } from '../../text/place.ts';
import type { SymbolScope } from '../model/scope.ts';

/**
 * Returns the locations in sources of the project, in the given order; see `SourceFiles.mayBeSource()`. Drops ignored
 * files and, unless the project is trusted, files that a link leads outside it. Files in `known`, a search of the
 * project's text, are not checked again.
 */
export async function keepProjectLocations<T extends Place>(
  scope: SymbolScope,
  locations: readonly T[],
  { known }: { known?: IdentifierResult | undefined } = {},
): Promise<T[]> {
  const { project, sources } = scope.files;
  const located = locations.filter((place) => !isOutside(place) && sources.mayBeSource(place.file));
  const kept = new Set(known?.files.map(({ path }) => path));
  const others = [...new Set(located.map(({ file }) => file))].filter(
    (file) => !kept.has(file) && !leadsOut(project, file),
  );
  const ignored = new Set(others.length === 0 ? [] : await project.scanner.ignored(others, scope.call.signal));
  for (const file of others) if (!ignored.has(file)) kept.add(file);
  return located.filter(({ file }) => kept.has(file));
}

function leadsOut(project: Project, file: string): boolean {
  try {
    resolveInProject(project, file);
    return false;
  } catch (error) {
    if (isExpected(error, 'file.outside-project')) return true;
    throw error;
  }
}

/** Returns the project-relative path of a file that a server names; `undefined` for one outside the project. */
export function fileInProject({ files }: SymbolScope, path: string): string | undefined {
  try {
    return resolveInProject(files.project, path);
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}
