import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import type { UnusedSymbol } from '../../symbols/edits/find-unused.ts';
import { kindName } from '../../symbols/model/kinds.ts';
import { namePathOf } from '../../symbols/model/name-path.ts';
import { groupedBy, labelled, listing } from '../answers/answer-text.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, symbolQuery } from '../tool.ts';

const headings = {
  unused: 'Unused',
  tests: 'Used by tests only',
  undecided: 'No use in the project, but it cannot be decided',
} as const;

export const findUnused = defineTool({
  ...symbolQuery,
  name: 'find_unused',
  description:
    'Finds declarations that nothing uses, or only tests, and those of which it cannot be decided, with the reason.',
  stage: 'optional',
  input: () => ({
    relative_path: z.string().default('').describe('File or directory; default: the project.'),
    ...pageParts,
  }),
  async run({ symbols, edits, format }, { relative_path }) {
    const { found, examined } = await symbols.unused(edits, relative_path);
    const count = (is: UnusedSymbol['is']) => found.filter((one) => one.is === is).length;
    const summary = `${counted(examined, 'declaration')}: ${count('unused')} unused, ${count('tests')} used by tests only, ${count('undecided')} undecided`;
    const sorted = Object.keys(headings).flatMap((is) => found.filter((one) => one.is === is));
    const rows = groupedBy(
      sorted,
      ({ is }) => headings[is],
      (own) => own.map(describe),
    );
    return {
      value: format === 'short' ? listing(summary, rows) : sorted.map(entryOf),
      shorter: [
        () =>
          labelled(
            summary,
            groupedBy(
              sorted,
              ({ is }) => is,
              (own) => own.map(({ symbol }) => namePathOf(symbol)),
            ),
          ),
      ],
      notes: format === 'short' ? [] : [summary],
    };
  },
});

function entryOf({ symbol, is, why, place }: UnusedSymbol) {
  return {
    name_path: namePathOf(symbol),
    kind: kindName(symbol.kind),
    relative_path: symbol.file,
    line: symbol.selectionRange.start.line,
    use: is,
    ...(why === undefined ? {} : { why }),
    ...(place === undefined ? {} : { at: { relative_path: place.file, line: place.line, text: place.text } }),
  };
}

function describe({ symbol, why, place }: UnusedSymbol): string {
  const { file, kind, selectionRange } = symbol;
  const at = place === undefined ? '' : ` (${place.file}:${place.line}: ${place.text})`;
  const reason = why === undefined ? '' : `: ${why}${at}`;
  return `${file}:${selectionRange.start.line}: ${kindName(kind)} ${namePathOf(symbol)}${reason}`;
}
