import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { isContainerKind, kindName, kinds } from '../../symbols/model/kinds.ts';
import { nameInType } from '../../symbols/model/name-path.ts';
import type { SymbolNode } from '../../symbols/model/symbol.ts';
import { groupSymbols, type SymbolEntry } from '../answers/compact.ts';
import { overviewDepth } from '../answers/overview-depth.ts';
import { countBy, labelled } from '../answers/shortening.ts';
import { maxAnswerChars } from '../parameters.ts';
import { defineTool } from '../tool.ts';

export const getSymbolsOverview = defineTool({
  name: 'get_symbols_overview',
  description: `Lists the top-level symbols of a source file by kind, with members down to a depth. Call it first on
an unfamiliar file. Returns JSON from kind to names.`,
  toolset: 'symbolic_read',
  effect: 'reads',
  needs: 'symbols',
  input: () =>
    z.object({
      relative_path: z.string().describe('Source file, relative to the project.'),
      depth: z.int().default(-1).describe('Levels of members; -1 = 1 for Java and Kotlin, otherwise 0.'),
      max_answer_chars: maxAnswerChars,
    }),
  async run({ symbols }, input) {
    const roots = await symbols.outline(input.relative_path);
    const depth = overviewDepth(input.relative_path, input.depth);
    const atDepth = (levels: number) => byKind(roots.map((root) => entryOf(root, levels)));
    return {
      value: atDepth(depth),
      shorter: [
        ...fewerLevels(Math.min(depth, heightOf(roots))).map(
          (levels) => () => labelled(label(levels), atDepth(levels)),
        ),
        () =>
          labelled(
            'Number of top-level symbols by kind',
            countBy(roots, (root) => kindName(root.kind)),
          ),
      ],
    };
  },
});

/** Returns every depth below `depth`, largest first. */
function fewerLevels(depth: number): number[] {
  return Array.from({ length: depth }, (_, index) => depth - 1 - index);
}

function label(levels: number): string {
  return levels === 0 ? 'Top-level symbols' : `Symbols with ${counted(levels, 'level')} of members`;
}

/** Returns how many levels of members these symbols have. */
function heightOf(symbols: readonly SymbolNode[]): number {
  return symbols.reduce((most, symbol) => {
    const members = shownMembers(symbol);
    return members.length === 0 ? most : Math.max(most, 1 + heightOf(members));
  }, 0);
}

function byKind(entries: readonly SymbolEntry[]): unknown {
  return groupSymbols(entries, { own: ['kind'], children: ['kind'] });
}

/**
 * Below the top level, only symbols that contain others are shown; fields and variables would drown them out. What a
 * namespace contains is at the top level of a program.
 */
function shownMembers(symbol: SymbolNode): SymbolNode[] {
  if (symbol.kind === kinds.namespace) return [...symbol.children];
  return symbol.children.filter((child) => isContainerKind(child.kind));
}

function entryOf(symbol: SymbolNode, levels: number): SymbolEntry {
  const members = levels > 0 ? shownMembers(symbol) : [];
  const children = members.map((child) => entryOf(child, levels - 1));
  return { name: nameInType(symbol), kind: kindName(symbol.kind), ...(children.length > 0 ? { children } : {}) };
}
