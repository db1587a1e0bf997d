import { statSync } from 'node:fs';
import type { Call } from '../../base/call.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { Gap } from '../../base/gap.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { readError } from '../../search/read-error.ts';
import type { FileSymbols } from './file-symbols.ts';

/** What every symbol question of one call works with. */
export interface SymbolScope {
  readonly files: FileSymbols;
  readonly call: Call;
  /** What the answers so far do not cover; added to, never taken from. */
  readonly gaps: Gap[];
}

/** A place to search in: project-relative, `''` for all of the project. */
export interface Place {
  readonly path: string;
  readonly isFile: boolean;
}

/**
 * Returns the place that a tool's `relative_path` names.
 *
 * @throws {ExpectedError} `file.outside-project`, `file.not-found`; for a file that symbols cannot be had of,
 *   `file.not-source`.
 */
export async function resolvePlace(scope: SymbolScope, relativePath: string): Promise<Place> {
  const { project, sources } = scope.files;
  const path = resolveInProject(project, relativePath);
  const isFile = statKind(scope.files.absolute(path), path) === 'file';
  if (isFile) {
    sources.requireServer(path);
    if (await project.scanner.isIgnored(path)) {
      throw new ExpectedError('file.not-source', `\`${path}\` is ignored by the project's ignore rules`, {
        hints: ['Use `read_file` or `search_for_pattern`, which reach ignored files'],
      });
    }
  }
  return { path, isFile };
}

/**
 * Checks that a place is a file.
 *
 * @throws {ExpectedError} `file.not-source` for a directory.
 */
export function requireFile(place: Place): void {
  if (place.isFile) return;
  throw new ExpectedError('file.not-source', `\`${place.path || '.'}\` is a directory; this needs a file`, {
    hints: ['Call `list_dir` to see its files, or `find_symbol` with the directory as `relative_path`'],
  });
}

function statKind(absolute: string, path: string): 'file' | 'directory' {
  try {
    return statSync(absolute).isDirectory() ? 'directory' : 'file';
  } catch (error) {
    throw readError(path, error);
  }
}
