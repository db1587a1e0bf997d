import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import type { InstallJob } from './job.ts';
import { homeUnusable, serverFolders } from './layout.ts';

/** What a failed installation was for. */
export type FailedJob = Pick<InstallJob, 'id' | 'title' | 'home' | 'folder'>;

/** Returns the steps that bring a server to a machine without network. */
export function prefetchHints({ id, home }: FailedJob): readonly string[] {
  return [
    `Run \`serena servers install ${id}\` on a machine with network access and copy its \`language_servers\` folder to \`${serverFolders(home).root}\``,
    'Set `SERENA_STORE` to a folder that is such a copy',
  ];
}

/** Returns the error for bytes that are not the pinned ones. Nothing of them may be kept or used. */
export function hashMismatch(what: string, expected: string, found: string): ExpectedError {
  const message = `Cannot install \`${what}\`: its content is not what this program pins\n  expected: ${expected}\n  found:    ${found}`;
  return new ExpectedError('install.hash-mismatch', message, {
    hints: [
      'Find out who changed it: the registry, a mirror or a proxy on the way serves other bytes than were published',
      'Update this program if its pin is known to be outdated',
    ],
  });
}

/**
 * Returns the error that a failed write below our home folder is: a full disk, a folder that cannot be written. Anything
 * else is returned as it is.
 */
export function writeFailure(error: unknown, job: FailedJob, neededBytes?: number): unknown {
  const code = systemCode(error) ?? '';
  if (['ENOSPC', 'EDQUOT'].includes(code)) return noSpace(error, job, neededBytes);
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code)) return homeUnusable(job.home, error);
  return error;
}

function noSpace(cause: unknown, { title, folder }: FailedJob, neededBytes?: number): ExpectedError {
  const needed = neededBytes === undefined ? '' : `: it needs ${megabytes(neededBytes)}`;
  return new ExpectedError(
    'install.no-space',
    `Cannot install \`${title}\` to \`${folder}\`, the disk is full${needed}`,
    {
      hints: ['Free some space on that disk', 'Set `SERENA_HOME` to a folder on a disk with more space'],
      cause,
    },
  );
}

/** Returns the error for content that could not be fetched; `reason` is the detail after the colon. */
export function downloadFailed(
  what: string,
  job: FailedJob,
  { reason, hints, cause }: { reason: string; hints: readonly string[]; cause?: unknown },
): ExpectedError {
  return new ExpectedError(
    'install.download-failed',
    `Cannot download \`${what}\` for \`${job.id}\` to \`${job.folder}\`: ${reason}`,
    { hints: [...hints, ...prefetchHints(job)], cause },
  );
}

/** Returns a size for people, such as `4.2 MB`. */
export function megabytes(sizeBytes: number): string {
  return `${(sizeBytes / 1e6).toFixed(1)} MB`;
}

/** Returns what `error` says, without credentials. */
export function reasonOf(error: unknown): string {
  return withoutCredentials(messageOf(error));
}

/** Returns `text` without the credentials that addresses in it may carry. */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]+@/g, '//');
}
