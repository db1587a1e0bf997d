import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { isIdeAddress } from '../../search/dependency-address.ts';
import { type ProjectDirectory, resolveInProject } from '../../search/project-path.ts';
import { withoutEntities } from '../arguments.ts';

/** Properties that most tools of the IDE share. */
export const ideTool = { toolset: 'jetbrains', effect: 'reads', stage: 'optional', needs: 'project' } as const;

export const sourcePath = z
  .string()
  .describe('File relative to the project root, or `<ext:…>` from another answer for a library file.');

export const namePath = z.string().describe('Name path, such as Class/method.');

/**
 * Converts a path from a client to the form that an IDE expects: relative to the project root, `.` for the root itself, or
 * the path of a library file.
 *
 * @throws {ExpectedError} `file.outside-project`; `tool.invalid-input` if no file can have that name.
 */
export function idePath(project: ProjectDirectory, sent: string): string {
  const path = withoutEntities(sent);
  return isIdeAddress(path) ? path : resolveInProject(project, path) || '.';
}

/**
 * Converts the path of something that an IDE will change, like {@link idePath}.
 *
 * @throws {ExpectedError} `edit.refused` for the project root itself; whatever {@link targetPath} throws.
 */
export function editedPath(project: ProjectDirectory, sent: string): string {
  const path = targetPath(project, sent);
  if (path === '.') throw refused(sent, 'it is the whole project');
  return path;
}

/**
 * Converts the path of a destination in the project, like {@link idePath}.
 *
 * @throws {ExpectedError} `edit.refused` for a library file; `file.outside-project`; `tool.invalid-input`.
 */
export function targetPath(project: ProjectDirectory, sent: string): string {
  const path = idePath(project, sent);
  if (isIdeAddress(path)) throw refused(sent, 'it is not part of the project');
  return path;
}

function refused(sent: string, why: string): ExpectedError {
  return new ExpectedError('edit.refused', `cannot change \`${sent}\`: ${why}`, {
    hints: ['pass the path of a file or directory in the project'],
  });
}

/** Returns an optional argument in the form that an IDE expects; an empty string counts as absent. */
export function given(argument: string | null): string | null {
  return argument === null || argument === '' ? null : withoutEntities(argument);
}
