import { z } from 'zod';
import { kindName } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import type { Related, SymbolNode } from '../../symbols/model/symbol.ts';

/** Symbols in the data of answers: paths are project-relative with `/`, lines are 0-based. */

const lines = () => ({ start_line: z.int(), end_line: z.int() });

export const placeShape = () => ({ name_path: z.string(), kind: z.string(), relative_path: z.string(), ...lines() });

/** A server may send any number. */
function linesOf({ range: { start, end } }: SymbolNode) {
  return { start_line: Math.trunc(start.line), end_line: Math.trunc(end.line) };
}

/** A member of a symbol, with its own members. */
export interface MemberData {
  readonly name: string;
  readonly kind: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly children?: readonly MemberData[] | undefined;
}

export const memberSchema = (): z.ZodType<MemberData> => {
  const member: z.ZodType<MemberData> = z.object({
    name: z.string(),
    kind: z.string(),
    ...lines(),
    children: z.lazy(() => z.array(member)).optional(),
  });
  return member;
};

/** A neighbor of a symbol, with the lines that connect them. */
export const relatedShape = () => ({
  name_path: z.string(),
  kind: z.string(),
  relative_path: z.string(),
  lines: z.array(z.int()),
});

export function placeData(symbol: SymbolNode) {
  return { name_path: namePathOf(symbol), kind: kindName(symbol.kind), relative_path: symbol.file, ...linesOf(symbol) };
}

/** Returns a symbol under the name that an answer gives it, with the levels of members that `membersOf` returns. */
export function memberData(
  symbol: SymbolNode,
  view: {
    readonly levels: number;
    name(symbol: SymbolNode): string;
    membersOf(symbol: SymbolNode): readonly SymbolNode[];
  },
): MemberData {
  const members = view.levels > 0 ? view.membersOf(symbol) : [];
  const children = members.map((member) => memberData(member, { ...view, levels: view.levels - 1 }));
  const own = { name: view.name(symbol), kind: kindName(symbol.kind), ...linesOf(symbol) };
  return { ...own, ...(children.length > 0 ? { children } : {}) };
}

export function relatedData({ symbol, lines: at }: Related) {
  return { name_path: namePathOf(symbol), kind: kindName(symbol.kind), relative_path: symbol.file, lines: [...at] };
}

/** What an answer about several items says of those that failed. */
export const errorsShape = () => ({ errors: z.array(z.object({ item: z.string(), message: z.string() })).optional() });
