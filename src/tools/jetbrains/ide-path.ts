import { ExpectedError } from '../../base/errors.ts';
import { type ProjectDirectory, resolveInProject } from '../../search/project-path.ts';
import { withoutEntities } from '../answers/entities.ts';

/** How a path begins that an IDE gives a file of a library: `<ext:NAME|HASH>`. */
const externalPrefix = '<ext:';

/** Returns whether a path, as an IDE writes it, is that of a file outside the project. */
export function isExternal(path: string): boolean {
  return path.startsWith(externalPrefix);
}

/**
 * Returns a path that a client sent as an IDE takes it: relative to the project root, `.` for the root itself, or a file
 * of a library.
 *
 * @throws {ExpectedError} `file.outside-project`; `tool.invalid-input` if no file can have that name.
 */
export function idePath(project: ProjectDirectory, sent: string): string {
  const path = withoutEntities(sent);
  return isExternal(path) ? path : resolveInProject(project, path) || '.';
}

/**
 * Returns the path of something that an IDE is to change, as {@link idePath} does.
 *
 * @throws {ExpectedError} `edit.refused` for the project root as a whole; what {@link targetPath} throws.
 */
export function editedPath(project: ProjectDirectory, sent: string): string {
  const path = targetPath(project, sent);
  if (path === '.') throw refused(sent, 'it is the whole project');
  return path;
}

/**
 * Returns the path of where an IDE is to put something, as {@link idePath} does.
 *
 * @throws {ExpectedError} `edit.refused` for a file of a library; `file.outside-project`; `tool.invalid-input`.
 */
export function targetPath(project: ProjectDirectory, sent: string): string {
  const path = idePath(project, sent);
  if (isExternal(path)) throw refused(sent, 'it is not part of the project');
  return path;
}

function refused(sent: string, why: string): ExpectedError {
  return new ExpectedError('edit.refused', `Cannot change \`${sent}\`: ${why}`, {
    hints: ['Pass the path of a file or directory in the project'],
  });
}

/** Returns an argument that may be left out as an IDE takes it: an empty one counts as left out. */
export function given(argument: string | null): string | null {
  return argument === null || argument === '' ? null : withoutEntities(argument);
}
