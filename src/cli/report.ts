import type { CommanderError } from 'commander';
import { type ErrorCode, ExpectedError, messageOf, systemCode } from '../base/errors.ts';
import { type Caller, ownCaller } from './caller.ts';

/** Exit codes of the program; see docs/compatibility.md, Command line. From 69 on they are the codes of `sysexits.h`. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unavailable: 69,
  bug: 70,
  inputOutput: 74,
  retry: 75,
  configuration: 78,
} as const;

/** Exit codes of kinds of failure that a script may treat in its own way; any other failure has the code of its command. */
const codesOfFailures: Partial<Record<ErrorCode, number>> = {
  'usage.invalid': exitCodes.usage,
  'tool.unknown': exitCodes.usage,
  'config.invalid': exitCodes.configuration,
  'install.download-failed': exitCodes.unavailable,
  'install.runtime-missing': exitCodes.unavailable,
  'server.missing': exitCodes.unavailable,
  'client.not-found': exitCodes.unavailable,
  'file.no-space': exitCodes.inputOutput,
  'install.no-space': exitCodes.inputOutput,
  'install.home-unusable': exitCodes.inputOutput,
  'lock.held': exitCodes.retry,
};

/** Codes of system errors that are never bugs, but a state of the machine. */
const conditions: readonly string[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EMFILE', 'ENFILE'];

/** Writes an error with its hints to the caller's stderr and returns its exit code. */
export function reportFailure(error: unknown, caller: Caller = ownCaller): number {
  if (conditions.includes(systemCode(error) ?? '')) {
    caller.report(`${caller.highlight('red', 'error:')} ${messageOf(error)}\n`);
    return exitCodes.inputOutput;
  }
  if (!(error instanceof ExpectedError)) {
    const trace = error instanceof Error ? error.stack : String(error);
    caller.report(`${caller.highlight('red', 'error:')} Internal error (please report):\n${trace}\n`);
    return exitCodes.bug;
  }
  // A line break in a name must not begin a line that looks like an error or a hint.
  const [message = '', ...shown] = [error.message, ...error.hints].map((text) => text.replaceAll('\n', '\n  '));
  const hints = shown.map((hint) => `${caller.highlight('cyan', 'hint:')} ${hint}\n`);
  caller.report(`${caller.highlight('red', 'error:')} ${message}\n${hints.length > 0 ? `\n${hints.join('')}` : ''}`);
  return failureCode(error, caller);
}

export function failureCode(error: ExpectedError, caller: Caller = ownCaller): number {
  if (error.code === 'tool.cancelled') return caller.interruptedExitCode() ?? exitCodes.failed;
  return codesOfFailures[error.code] ?? exitCodes.failed;
}

/** Returns the error for an invalid command line that commander does not detect. */
export function usageError(message: string, hints: readonly string[]): ExpectedError {
  return new ExpectedError('usage.invalid', message, { hints });
}

/** Messages of commander and their replacements. */
const rewordings: readonly (readonly [theirs: RegExp, ours: (...parts: string[]) => string])[] = [
  [/^unknown option '(.*)'$/, (flag) => `unknown option \`${flag}\``],
  [/^unknown command '(.*)'$/, (name) => `unknown command \`${name}\``],
  [/^missing required argument '(.*)'$/, (name) => `the argument \`${name}\` is missing`],
  [/^option '(.*)' argument missing$/, (flag) => `the value of \`${flag}\` is missing`],
  [/^required option '(.*)' not specified$/, (flag) => `the option \`${flag}\` is missing`],
  [/^option '(.*)' cannot be used with option '(.*)'$/, (one, other) => `\`${one}\` cannot be used with \`${other}\``],
  [
    /^too many arguments(?: for '.*')?\. Expected (\d+) arguments? but got \d+: (.*)\.$/,
    (most, given) => `too many arguments: \`${given}\`; at most ${most} can be given`,
  ],
  [
    /^option '(.*)' argument '(.*)' is invalid\. (.*)$/,
    (flag, value, why) => `\`${flag}\` does not accept \`${value}\`: ${why}`,
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. (.*)$/,
    (value, name, why) => `\`${name}\` does not accept \`${value}\`: ${why}`,
  ],
];

/** Returns commander's error for a command line, reworded and with hints. */
export function usageMessage({ message }: CommanderError): ExpectedError {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const meant = /Did you mean (?:one of )?(.*?)\?/.exec(rest.join(' '))?.[1];
  return usageError(reword(first), [
    ...(meant === undefined ? [] : [`did you mean ${meant}?`]),
    'run the command with `--help` for its arguments and options',
  ]);
}

function reword(text: string): string {
  for (const [theirs, ours] of rewordings) {
    const found = theirs.exec(text);
    if (found)
      return ours(...found.slice(1))
        .replace(/Allowed choices are (.*?)\.?$/, 'it must be one of $1')
        .replace(/\.$/, '');
  }
  return text;
}
