import { z } from 'zod';

/** Returns the type of a key that may be absent or empty, and then has its default. */
export function setting<T extends z.ZodType, F extends NonNullable<z.output<T>>>(type: T, fallback: F) {
  return type.nullish().transform((value): NonNullable<z.output<T>> => value ?? fallback);
}

/** Returns the type of a key that may be absent or empty; `undefined` then leaves the choice to somebody else. */
export function choice<T extends z.ZodType>(type: T) {
  return type.nullish().transform((value): NonNullable<z.output<T>> | undefined => value ?? undefined);
}

/** Returns the type of a key that takes one of `names`, in upper or lower case; an empty text counts as absent. */
export function oneOf<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    return value === '' ? undefined : (names.find((name) => name.toLowerCase() === value.toLowerCase()) ?? value);
  }, z.enum(names).optional());
}

/** A list of texts that may be left empty in YAML. */
export const stringList = setting(z.array(z.string()), []);

/** How files are written: `native` keeps the line breaks that a file has, the others make them all one kind. */
export const lineEndings = ['native', 'lf', 'crlf'] as const;
export type LineEndingSetting = (typeof lineEndings)[number];

/** What answers questions about symbols: language servers, or a JetBrains IDE. */
export const backends = ['LSP', 'JetBrains'] as const;
export type Backend = (typeof backends)[number];
