import { ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import type { Artifact } from './source/artifact.ts';
import { homeUnusable, serverDirectories } from './store/layout.ts';

/** What something was fetched or installed for. */
export interface FailedJob {
  /** Our home directory. */
  readonly home: string;
  /** The server and its directory, where there is one. */
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly directory?: string | undefined;
}

/** Returns the steps that bring a server to a machine without network. */
export function prefetchHints({ id = '<id>', home }: FailedJob): readonly string[] {
  return [
    `Run \`serena servers pack -o servers.tar ${id}\` on a machine with network access, and \`serena servers unpack servers.tar --install\` here`,
    `Set \`SERENA_STORE\` to a copy of the \`language_servers\` directory of a machine where \`serena servers install ${id}\` has run (or copy it to \`${serverDirectories(home).root}\`), or \`SERENA_MIRROR\` to a place that has the file by its hash`,
  ];
}

/** Returns the error for what would have to be fetched while the user forbids it; `why` says by what, as a sentence. */
export function forbidden(missing: readonly Artifact[], why: string, job: FailedJob): ExpectedError {
  const what = missing.map(({ title, integrity }) => `  ${title} ${integrity}`).join('\n');
  const purpose = job.id === undefined ? '' : ` for \`${job.id}\``;
  return new ExpectedError('install.download-failed', `Cannot download what is missing${purpose}: ${why}\n${what}`, {
    hints: prefetchHints(job),
  });
}

/** Returns the error for bytes that are not the pinned ones. Nothing of them may be kept or used. */
export function hashMismatch(what: string, expected: string, found: string): ExpectedError {
  const message = `Cannot install \`${what}\`: its content is not what this program pins\n  expected: ${expected}\n  found:    ${found}`;
  return new ExpectedError('install.hash-mismatch', message, {
    hints: [
      'Find out who changed it: the registry, a mirror or a proxy on the way serves other bytes than were published; nothing of them was installed',
      'Update this program if its pin is known to be outdated',
    ],
  });
}

/**
 * Returns the error that a failed write below our home directory is: a full disk, a directory that cannot be written. Anything
 * else is returned as it is.
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
    `Cannot install \`${title ?? 'a file'}\` to \`${directory ?? home}\`, the disk is full${needed}`,
    {
      hints: ['Free some space on that disk', 'Set `SERENA_HOME` to a directory on a disk with more space'],
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
  const purpose =
    job.id === undefined || job.directory === undefined ? '' : ` for \`${job.id}\` to \`${job.directory}\``;
  return new ExpectedError('install.download-failed', `Cannot download \`${what}\`${purpose}: ${reason}`, {
    hints: [...hints, ...prefetchHints(job)],
    cause,
  });
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
