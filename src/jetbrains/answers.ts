import { z } from 'zod';

/** Makes a value optional: an IDE may send null for an absent one. */
function maybe<T extends z.ZodType>(type: T) {
  return type.nullish().transform((value) => value ?? undefined);
}

const position = z.looseObject({ line: z.int(), col: z.int() });

/** A symbol as an IDE describes it. The keys are in the order of tool answers. Lines are 0-based. */
export const ideSymbol = z.looseObject({
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
export const hierarchyNode = z.looseObject({
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
