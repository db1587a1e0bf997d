import { z } from 'zod';

/** Returns the schema of a key that may be absent or empty and then has a default. */
export function setting<T extends z.ZodType, F extends NonNullable<z.output<T>>>(type: T, fallback: F) {
  return type.nullish().transform((value): NonNullable<z.output<T>> => value ?? fallback);
}

/** Returns the schema of a key that may be absent or empty; it is then `undefined`, so that another source decides. */
export function choice<T extends z.ZodType>(type: T) {
  return type.nullish().transform((value): NonNullable<z.output<T>> | undefined => value ?? undefined);
}

/**
 * Returns the schema of a key that the dashboard may change: one that affects only how tools answer, write and wait. A key
 * does not belong here if it decides which programs run, which tools agents have, what they may read or write, which text
 * they get, which addresses are used, or where configuration comes from.
 */
export function harmless<T extends z.ZodType>(type: T): T {
  return type.meta({ isHarmless: true });
}

/** True if the dashboard may change the key of this schema. */
export function isHarmless(type: z.ZodType | undefined): boolean {
  return type?.meta()?.isHarmless === true;
}

/** Returns the schema of a key with one of `names` as its value, in any case; an empty string counts as absent. */
export function oneOf<const Names extends readonly [string, ...string[]]>(names: Names) {
  return z.preprocess((value) => {
    if (typeof value !== 'string') return value;
    return value === '' ? undefined : (names.find((name) => name.toLowerCase() === value.toLowerCase()) ?? value);
  }, z.enum(names).optional());
}

/** A list of strings that may be empty in YAML. */
export const stringList = setting(z.array(z.string()), []);

/** Line endings of written files: `native` keeps those of the file, the others convert all of them. */
export const lineEndings = ['native', 'lf', 'crlf'] as const;
export type LineEndingSetting = (typeof lineEndings)[number];

/** The backend of the symbol tools: language servers, or a JetBrains IDE. */
export const backends = ['LSP', 'JetBrains'] as const;
export type Backend = (typeof backends)[number];

/**
 * What answers questions about the symbols of a file: `server` always its language server, `syntax` its syntax tree,
 * `auto` the syntax tree while the language server cannot answer.
 */
export const symbolSources = ['auto', 'server', 'syntax'] as const;
export type SymbolSource = (typeof symbolSources)[number];
