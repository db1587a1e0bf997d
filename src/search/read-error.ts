import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { RefusedFile } from '../base/open-regular-file.ts';

const missing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

/** Returns the error to report when reading the file at the project-relative `path` failed with `cause`. */
export function readError(path: string, cause: unknown): ExpectedError {
  if (cause instanceof ExpectedError) return cause;
  if (cause instanceof RefusedFile) return refused(path, cause);
  const code = systemCode(cause);
  if (code !== undefined && missing.includes(code)) {
    return new ExpectedError('file.not-found', `file \`${path}\` does not exist in the project`, {
      hints: ['call `find_file` or `list_dir` to see what exists'],
      cause,
    });
  }
  if (code === 'EISDIR') return isDirectory(path);
  if (code === 'EACCES' || code === 'EPERM') {
    return new ExpectedError('file.no-permission', `cannot read \`${path}\`: permission denied`, { cause });
  }
  if (isOutOfDescriptors(cause)) return outOfDescriptors(`cannot read \`${path}\``, cause);
  return new ExpectedError('file.unreadable', `cannot read \`${path}\`: ${messageOf(cause)}`, { cause });
}

/** True if the process (`EMFILE`) or the system (`ENFILE`) has too many open files. */
export function isOutOfDescriptors(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'EMFILE' || code === 'ENFILE';
}

/** Returns the error for {@link isOutOfDescriptors}; `failure` begins the message, such as `cannot read …`. */
export function outOfDescriptors(failure: string, cause: unknown): ExpectedError {
  const owner = systemCode(cause) === 'ENFILE' ? 'the system' : 'this process';
  return new ExpectedError('file.unreadable', `${failure}: ${owner} has too many open files (${systemCode(cause)})`, {
    hints: [
      'retry the call: other calls may have closed files in the meantime',
      'raise the limit of open files (`ulimit -n`) where the MCP client starts this server',
    ],
    cause,
  });
}

/** Returns the error for a path outside the project at `root`; `target` is the resolved path if a link leads there. */
export function outsideProject(root: string, path: string, target?: string): ExpectedError {
  const detail = target === undefined ? '' : `: a symlink leads to \`${target}\``;
  return new ExpectedError('file.outside-project', `the path \`${path}\` is outside the project \`${root}\`${detail}`, {
    hints: [
      'pass a path inside the project, relative to its root',
      'call `activate_project` with the directory that contains the file to work there',
    ],
  });
}

function refused(path: string, cause: RefusedFile): ExpectedError {
  switch (cause.reason) {
    case 'directory':
      return isDirectory(path);
    case 'outside':
    case 'link': {
      const message = `the path \`${path}\` is outside the project: a symlink replaced a part of it during the call`;
      return new ExpectedError('file.outside-project', message, {
        hints: ['retry the call once no other program changes the links of the project'],
        cause,
      });
    }
    default:
      return new ExpectedError('file.unreadable', `cannot read \`${path}\`: ${cause.message}`, { cause });
  }
}

function isDirectory(path: string): ExpectedError {
  return new ExpectedError('file.is-directory', `cannot read \`${path}\`: it is a directory`, {
    hints: [`call \`list_dir\` with \`relative_path\` "${path}"`],
  });
}
