import { requestRename } from '../../lsp/features/rename.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { identifierOccurrences } from '../../text/identifiers.ts';
import { lineStarts, lineText } from '../../text/lines.ts';
import { offsetAt } from '../../text/position.ts';

/** The beginning of a line of a comment, up to its first word. */
const beforeFirstWord = /^\s*(?:\/\/+|\/\*+)\s*$/;
const commentLine = /^\s*\/\//;

/**
 * gopls 0.23 renames each word of a doc comment that equals the name: in `// Stop the timers first` as well. Here only
 * what names the declaration is renamed: the first word of a doc comment, and `[Stop]`, `Store.Stop` and `Stop()`. Covered
 * by the test of comments in `test/tools/symbolic-edit/go-comments.test.ts`.
 */
export const renameWithoutProse: NonNullable<Quirks['rename']> = async (server, request, limits) => {
  const steps = await requestRename(server, request, limits);
  return steps.map((step) => {
    if (step.do !== 'edit') return step;
    const text = server.documents.textOf(step.path);
    const starts = lineStarts(text);
    const inCode = new Map<string, ReadonlySet<number>>();
    const isProse = ({ range }: (typeof step.edits)[number]) => {
      const [start, end] = [range.start, range.end].map((position) => offsetAt(text, starts, position));
      if (start === undefined || end === undefined) return false;
      const name = text.slice(start, end);
      // An edit of something else, such as an import path.
      if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) return false;
      const code = inCode.get(name) ?? new Set(identifierOccurrences(text, { name }, 'go').map(({ offset }) => offset));
      inCode.set(name, code);
      if (code.has(start)) return false;
      const { line, character } = range.start;
      const before = (lineText(text, starts, line) ?? '').slice(0, character);
      const isFirst =
        beforeFirstWord.test(before) && (line === 0 || !commentLine.test(lineText(text, starts, line - 1) ?? ''));
      return !isFirst && !/[\p{L}\p{N}_)\]]\.$|[[`]$/u.test(before) && text[end] !== '(';
    };
    return { ...step, edits: step.edits.filter((edit) => !isProse(edit)) };
  });
};
