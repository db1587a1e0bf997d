import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { homeUnusable } from '../base/home.ts';
import type { Artifact } from './source/artifact.ts';
import { serverDirectories } from './store/layout.ts';

/** A download or installation, as error messages describe it. */
interface FailedJob {
  /** Absolute path of SERENA_HOME. */
  readonly home: string;
  /** The server and its installation directory, unless the download is for none. */
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly directory?: string | undefined;
}

/** Returns hints for installing a server on a machine without network access. */
export function prefetchHints({ id = '<id>', home }: FailedJob): readonly string[] {
  return [
    `run \`serena servers pack -o servers.tar ${id}\` on a machine with network access, and \`serena servers unpack servers.tar --install\` here`,
    `set \`SERENA_STORE\` to a copy of the \`language_servers\` directory of a machine where \`serena servers install ${id}\` has run (or copy it to \`${serverDirectories(home).root}\`), or \`SERENA_MIRROR\` to a mirror that has the file under its hash`,
  ];
}

/**
 * Returns the error for artifacts that are missing while downloads are disabled; `why` is a sentence that names the
 * setting.
 */
export function forbidden(missing: readonly Artifact[], why: string, job: FailedJob): ExpectedError {
  const what = missing.map(({ title, integrity }) => `  ${title} ${integrity}`).join('\n');
  const purpose = job.id === undefined ? '' : ` for \`${job.id}\``;
  return new ExpectedError('install.download-failed', `cannot download the missing files${purpose}: ${why}\n${what}`, {
    hints: prefetchHints(job),
  });
}

/** Returns the error for bytes that do not have the pinned hash. The caller must not keep or use them. */
export function hashMismatch(what: string, expected: string, found: string): ExpectedError {
  const message = `cannot install \`${what}\`: its content does not match the pinned hash\n  expected: ${expected}\n  found:    ${found}`;
  return new ExpectedError('install.hash-mismatch', message, {
    hints: [
      'find out which registry, mirror or proxy served bytes other than the published ones; none of them were installed',
      'update this program if its pinned hash is known to be outdated',
    ],
  });
}

/**
 * Returns the user-facing error for a failed write below SERENA_HOME: the disk is full or a directory is not writable.
 * Any other error is returned unchanged.
 */
export function writeFailure(error: unknown, job: FailedJob, neededBytes?: number): unknown {
  const code = systemCode(error) ?? '';
  if (['ENOSPC', 'EDQUOT'].includes(code)) return noSpace(error, job, neededBytes);
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code)) return homeUnusable(job.home, error);
  return error;
}

function noSpace(cause: unknown, { title, directory, home }: FailedJob, neededBytes?: number): ExpectedError {
  const needed = neededBytes === undefined ? '' : `: it needs ${megabytes(neededBytes)}`;
  return new ExpectedError(
    'install.no-space',
    `cannot install \`${title ?? 'a file'}\` to \`${directory ?? home}\`, the disk is full${needed}`,
    {
      hints: ['free some space on that disk', 'set `SERENA_HOME` to a directory on a disk with more space'],
      cause,
    },
  );
}

/** Returns the error for a failed download; `reason` is the detail after the colon. */
export function downloadFailed(
  what: string,
  job: FailedJob,
  { reason, hints, cause }: { reason: string; hints: readonly string[]; cause?: unknown },
): ExpectedError {
  const purpose =
    job.id === undefined || job.directory === undefined ? '' : ` for \`${job.id}\` to \`${job.directory}\``;
  return new ExpectedError('install.download-failed', `cannot download \`${what}\`${purpose}: ${reason}`, {
    hints: [...hints, ...prefetchHints(job)],
    cause,
  });
}

/** Formats a size, such as `4.2 MB`. */
export function megabytes(sizeBytes: number): string {
  return `${(sizeBytes / 1e6).toFixed(1)} MB`;
}

/** Returns the message of `error` without credentials. */
export function reasonOf(error: unknown): string {
  return withoutCredentials(messageOf(error));
}

/** Removes the credentials from all URLs in `text`. */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/[^/@\s]+@/g, '//');
}
