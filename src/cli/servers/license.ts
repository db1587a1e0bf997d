import { ExpectedError } from '../../base/errors.ts';
import type { ServerSpec } from '../../servers/catalog/spec.ts';
import type { Choice } from './choice.ts';
import { serversNamed } from './named.ts';

/** A choice without the servers that may not be passed on. */
export interface ByLicense {
  readonly permitted: Choice;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Separates servers whose license forbids passing them on, unless the user has accepted that for them (`accepted` has ids,
 * names or languages).
 *
 * @throws {ExpectedError} `install.not-redistributable` for one that was asked for by name; `usage.invalid`.
 */
export function separateByLicense(choice: Choice, accepted: readonly string[]): ByLicense {
  const acceptedIds = serversNamed(accepted).map(({ id }) => id);
  const isRefused = (spec: ServerSpec) => spec.redistributable === false && !acceptedIds.includes(spec.id);
  const refused = choice.specs.filter(isRefused).map((spec) => ({ id: spec.id, error: refusalOf(spec) }));
  if (choice.isNamed && refused[0] !== undefined) throw refused[0].error;
  return {
    permitted: { ...choice, specs: choice.specs.filter((spec) => !isRefused(spec)) },
    refused: refused.map(({ id, error }) => ({ id, reason: error.message })),
  };
}

function refusalOf({ id, name, license, homepage }: ServerSpec): ExpectedError {
  const message = `Cannot pack \`${id}\`: the license of ${name} (${license ?? homepage}) forbids passing it on`;
  return new ExpectedError('install.not-redistributable', message, {
    hints: [
      `Add \`--accept-license ${id}\` if its makers allow you to`,
      'Leave it out, and let the other machine fetch it',
    ],
  });
}
