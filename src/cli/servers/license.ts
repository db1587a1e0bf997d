import { ExpectedError } from '../../base/errors.ts';
import type { ServerSpec } from '../../servers/spec.ts';
import type { Choice } from './choice.ts';
import { serversNamed } from './named.ts';

/** A choice of servers, separated by whether their licenses permit redistribution. */
export interface ByLicense {
  readonly permitted: Choice;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Separates servers whose license forbids redistribution, except those that the user accepted (`accepted` has ids, names
 * or languages).
 *
 * @throws {ExpectedError} `install.not-redistributable` for a server that the user named; `usage.invalid`.
 */
export function separateByLicense(choice: Choice, accepted: readonly string[]): ByLicense {
  const acceptedIds = serversNamed(accepted).map(({ id }) => id);
  const isRefused = (spec: ServerSpec) => spec.license?.isRedistributable === false && !acceptedIds.includes(spec.id);
  const refused = choice.specs.filter(isRefused).map((spec) => ({ id: spec.id, error: refusalOf(spec) }));
  if (choice.isNamed && refused[0] !== undefined) throw refused[0].error;
  return {
    permitted: { ...choice, specs: choice.specs.filter((spec) => !isRefused(spec)) },
    refused: refused.map(({ id, error }) => ({ id, reason: error.message })),
  };
}

function refusalOf({ id, name, license, homepage }: ServerSpec): ExpectedError {
  const message = `cannot pack \`${id}\`: the license of ${name} (${license?.terms ?? homepage}) forbids redistribution`;
  return new ExpectedError('install.not-redistributable', message, {
    hints: [
      `add \`--accept-license ${id}\` if its authors permit you to`,
      'leave it out, and let the other machine download it',
    ],
  });
}
