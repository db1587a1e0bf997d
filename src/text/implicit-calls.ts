import { profileOf } from '../languages/profiles.ts';

/**
 * Returns what calls the members of a type that have a name, although no code names them; `undefined` if nothing does.
 * `language` is an LSP id, `rest` the text behind the name.
 */
export function implicitCaller(language: string, name: string, rest: string): string | undefined {
  return profileOf(language)?.implicitCalls?.find((one) => one.name.test(name) && one.rest?.test(rest) !== false)
    ?.caller;
}
