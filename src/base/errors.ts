/**
 * Codes of all expected failures, each with the exception name that clients of the reference expect at the start of the
 * message (see docs/compatibility.md, Tool errors). Grouped by the layer that raises them. Callers branch on the code,
 * never on the text.
 */
export const errorKinds = {
  'lock.held': 'TimeoutError',
  'session.unknown': 'ValueError',
  'project.none-active': 'ValueError',
  'project.not-found': 'ProjectNotFoundError',
  'project.unknown': 'ValueError',
  'project.ambiguous': 'ValueError',
  'file.not-found': 'FileNotFoundError',
  'file.is-directory': 'IsADirectoryError',
  'file.not-directory': 'NotADirectoryError',
  'file.outside-project': 'ValueError',
  'file.not-source': 'ValueError',
  'file.undecodable': 'UnicodeDecodeError',
  'file.no-permission': 'PermissionError',
  'file.no-space': 'OSError',
  'file.not-written': 'OSError',
  'file.unreadable': 'OSError',
  'file.exists': 'FileExistsError',
  'edit.conflict': 'ValueError',
  'edit.overlap': 'ValueError',
  'edit.no-match': 'ValueError',
  'edit.ambiguous': 'ValueError',
  'edit.unexpected-count': 'ValueError',
  'edit.no-group': 'IndexError',
  'edit.out-of-range': 'InvalidTextLocationError',
  'edit.not-encodable': 'UnicodeEncodeError',
  'edit.refused': 'ValueError',
  'edit.failed': 'OSError',
  'memory.bad-name': 'ValueError',
  'memory.ignored': 'ValueError',
  'memory.not-found': 'FileNotFoundError',
  'memory.exists': 'FileExistsError',
  'memory.read-only': 'PermissionError',
  'memory.too-long': 'ValueError',
  'symbol.not-found': 'ValueError',
  'symbol.ambiguous': 'ValueError',
  'symbol.bad-pattern': 'AssertionError',
  'symbol.bad-range': 'InvalidTextLocationError',
  'search.bad-pattern': 'ValueError',
  'search.bad-glob': 'ValueError',
  'search.too-slow': 'ValueError',
  'scip.invalid': 'ValueError',
  'server.missing': 'SolidLSPException',
  'server.start-failed': 'SolidLSPException',
  'server.terminated': 'SolidLSPException',
  'server.timed-out': 'SolidLSPException',
  'server.refused': 'SolidLSPException',
  'server.cancelled': 'SolidLSPException',
  'install.hash-mismatch': 'SolidLSPException',
  'install.download-failed': 'SolidLSPException',
  'install.not-pinned': 'SolidLSPException',
  'install.runtime-missing': 'SolidLSPException',
  'install.no-space': 'SolidLSPException',
  'install.home-unusable': 'SolidLSPException',
  'install.failed': 'SolidLSPException',
  'install.bad-bundle': 'SolidLSPException',
  'install.not-redistributable': 'SolidLSPException',
  'program.managed': 'PermissionError',
  'shell.not-started': 'OSError',
  'ide.not-found': 'ServerNotFoundError',
  'ide.refused': 'APIError',
  'ide.failed': 'PluginServerError',
  'ide.outdated': 'PluginServerError',
  'ide.unreachable': 'ConnectionError',
  'config.invalid': 'ValueError',
  'tool.unknown': 'ValueError',
  'tool.inactive': 'ValueError',
  'tool.invalid-input': 'ValueError',
  'tool.failed-assertion': 'AssertionError',
  'tool.timed-out': 'TimeoutError',
  'tool.cancelled': 'CancelledError',
  'script.failed': 'RuntimeError',
  'script.stopped': 'RuntimeError',
  'http.cannot-listen': 'OSError',
  'client.not-found': 'FileNotFoundError',
  'client.refused': 'ChildProcessError',
  'usage.invalid': 'UsageError',
} as const;

export type ErrorCode = keyof typeof errorKinds;

interface ErrorExtras {
  /** Next steps, in the imperative, each useful on its own. */
  readonly hints?: readonly string[];
  readonly cause?: unknown;
}

/** A failure that the user or the agent can act on. Any other error that escapes is a bug of this program. */
export class ExpectedError extends Error {
  readonly code: ErrorCode;
  readonly hints: readonly string[];

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'ExpectedError';
    this.code = code;
    this.hints = extras.hints ?? [];
  }
}

/** True if `error` is an `ExpectedError`, with one of `codes` if any are given. */
export function isExpected(error: unknown, ...codes: readonly ErrorCode[]): error is ExpectedError {
  return error instanceof ExpectedError && (codes.length === 0 || codes.includes(error.code));
}

/** Returns a system error's code such as `ENOENT`, or `undefined` for errors without a code. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the message of a caught `error`, for a log or as the reason in another message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
