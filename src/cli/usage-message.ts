import type { CommanderError } from 'commander';
import type { ExpectedError } from '../base/errors.ts';
import { usageError } from './usage.ts';

/** The library's messages, with how ours say the same. */
const rewordings: readonly (readonly [theirs: RegExp, ours: (...parts: string[]) => string])[] = [
  [/^unknown option '(.*)'$/, (flag) => `there is no option \`${flag}\``],
  [/^unknown command '(.*)'$/, (name) => `there is no command \`${name}\``],
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

/** Returns what the library says about a command line, in our words and with the next step. */
export function usageMessage({ message }: CommanderError): ExpectedError {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const meant = /Did you mean (?:one of )?(.*?)\?/.exec(rest.join(' '))?.[1];
  return usageError(inOurWords(first), [
    ...(meant === undefined ? [] : [`Did you mean ${meant}?`]),
    'Run the command with `--help` to see what it accepts',
  ]);
}

function inOurWords(text: string): string {
  for (const [theirs, ours] of rewordings) {
    const found = theirs.exec(text);
    if (found)
      return ours(...found.slice(1))
        .replace(/Allowed choices are (.*?)\.?$/, 'it must be one of $1')
        .replace(/\.$/, '');
  }
  return text;
}
