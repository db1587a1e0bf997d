import { z } from 'zod';

/** Makes a value optional: an IDE may send null for an absent one. */
function maybe<T extends z.ZodType>(type: T) {
  return type.nullish().transform((value) => value ?? undefined);
}

const position = z.looseObject({ line: z.int(), col: z.int() });

/** A symbol as an IDE describes it. The keys are in the order of tool answers. Lines are 0-based. */
const ideSymbol = z.looseObject({
  name_path: z.string(),
  /** Project-relative, or `<ext:…>` for a file of a library. */
  relative_path: maybe(z.string()),
  type: z.string(),
  body: maybe(z.string()),
  quick_info: maybe(z.string()),
  documentation: maybe(z.string()),
  text_range: maybe(z.looseObject({ start_pos: position, end_pos: position })),
  get children() {
    return maybe(z.array(ideSymbol));
  },
  num_usages: maybe(z.int()),
  reference_line_no: maybe(z.int()),
});

export type IdeSymbol = z.infer<typeof ideSymbol>;

export const symbolList = z.looseObject({ symbols: z.array(ideSymbol) });

export const fileOverview = z.looseObject({ symbols: z.array(ideSymbol), documentation: maybe(z.string()) });

/** A type in a hierarchy, with its supertypes or its subtypes as children. */
const hierarchyNode = z.looseObject({
  symbol: ideSymbol,
  get children() {
    return maybe(z.array(hierarchyNode));
  },
});

export type HierarchyNode = z.infer<typeof hierarchyNode>;

export const hierarchy = z.looseObject({
  hierarchy: maybe(z.array(hierarchyNode)),
  num_levels_not_included: maybe(z.int()),
});

export const inspectionList = z.looseObject({
  inspections: z.array(
    z.looseObject({
      name: z.string(),
      group_path: z.string(),
      language: maybe(z.string()),
      description: maybe(z.string()),
    }),
  ),
});

export const fileContent = z.looseObject({ content: z.string() });

/** The answer to an edit or an evaluation, passed on unchanged. */
export const anything = z.unknown();

/** Returns `value` with all object keys converted to snake case: `namePath` becomes `name_path`. */
export function withSnakeCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeCaseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [snakeCase(key), withSnakeCaseKeys(entry)]));
}

function snakeCase(key: string): string {
  return key
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** Keys under which an IDE sends HTML. */
const htmlKeys: readonly string[] = ['documentation', 'quick_info'];

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

/** Rendering of documentation as text. Link targets are dropped: they are internal to the IDE. */
const selectors = [
  ...headings.map((selector) => ({ selector, options: { uppercase: false } })),
  { selector: 'a', options: { ignoreHref: true } },
  { selector: 'img', format: 'skip' },
  { selector: 'ul', options: { itemPrefix: '- ' } },
];

/** Returns `value` with its HTML converted to text, at any depth; keys whose HTML has no text are removed. */
export async function withPlainText(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map(withPlainText));
  if (typeof value !== 'object' || value === null) return value;
  const entries = await Promise.all(
    Object.entries(value).map(async ([key, entry]) => {
      const isHtml = htmlKeys.includes(key) && typeof entry === 'string';
      return [key, isHtml ? await plainText(entry) : await withPlainText(entry)] as const;
    }),
  );
  return Object.fromEntries(entries.filter(([key, entry]) => !htmlKeys.includes(key) || entry !== ''));
}

async function plainText(html: string): Promise<string> {
  // Loaded on demand: most sessions have no IDE.
  const { convert } = await import('html-to-text');
  return convert(html, { wordwrap: false, selectors }).trim();
}
