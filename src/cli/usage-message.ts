import type { CommanderError } from 'commander';
import type { ExpectedError } from '../base/errors.ts';
import { usageError } from './usage.ts';

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
