/**
 * Every expected failure, with the kind that clients of the reference know it by (`spec/tools.md` §3.6).
 * Grouped by the layer that raises it; callers branch on the code, never on the text.
 */
export const errorKinds = {
  'lock.held': 'TimeoutError',
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
  'http.cannot-listen': 'OSError',
  'client.not-found': 'FileNotFoundError',
  'client.refused': 'ChildProcessError',
  'usage.invalid': 'UsageError',
} as const;

export type ErrorCode = keyof typeof errorKinds;

interface ErrorExtras {
  /** Next steps, imperative, each useful alone. */
  readonly hints?: readonly string[];
  readonly cause?: unknown;
}

/** A failure that its reader can act on. Anything else that escapes is a bug (`spec/codebase.md` §10). */
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

/** Returns whether `error` is an `ExpectedError`, of one of `codes` when any are given. */
export function isExpected(error: unknown, ...codes: readonly ErrorCode[]): error is ExpectedError {
  return error instanceof ExpectedError && (codes.length === 0 || codes.includes(error.code));
}

/** Returns a system error's code such as `ENOENT`, or `undefined` for anything that has none. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns one line that says what `error` says, for a log or as the reason in another message. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
