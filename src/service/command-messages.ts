/** What the service sends about a command that it runs, one object a line. */
export interface FromCommand {
  readonly out?: string;
  readonly err?: string;
  /** Absolute path of a file whose content is needed; `-` for stdin. */
  readonly read?: string;
  /** A tool that is about to be called, and what its call means if the service is lost. */
  readonly calling?: { readonly tool: string; readonly effect: CallEffect };
  /** Exit code; nothing follows it. */
  readonly exit?: number;
}

/** What the process of a command sends to the service. */
export interface ToCommand {
  readonly start?: true;
  readonly content?: string;
  /** Why the requested file cannot be read. */
  readonly problem?: string;
  /** A termination signal that it received. */
  readonly signal?: NodeJS.Signals;
}

/** What the call of a tool may have changed: nothing outside its session, files in recorded commits, or anything. */
export type CallEffect = 'none' | 'edits' | 'unknown';

/** Far below the length of a line that is passed on in parts. */
const maxChars = 1024 * 1024;

/** Returns the text in parts for one message each, which do not divide characters. */
export function partsOf(text: string): readonly string[] {
  if (text.length <= maxChars) return [text];
  return text.match(new RegExp(`[^]{1,${maxChars}}`, 'gu')) ?? [];
}

/** Request id of a command's only connection, in its receipts. */
export const commandRequestId = 1;
