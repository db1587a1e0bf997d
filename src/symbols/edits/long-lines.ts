import { counted } from '../../base/counted.ts';
import type { Edits } from '../../edits/edits.ts';
import { profileOf } from '../../languages/profiles.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { linesNote } from './left-over.ts';

/** Returns a note about the lines that planned edits make longer than the project's formatter keeps them. */
export function longLinesNote(scope: SymbolScope, edits: Edits): string[] {
  const widths = new Map<string, number | undefined>();
  const lines = edits.changes.flatMap(({ path }) => {
    const draft = edits.planned(path)?.draft;
    const active = scope.files.sources.serverOf(path);
    const language = active && languageIdOf(active.spec, path);
    if (draft === undefined || language === undefined) return [];
    if (!widths.has(language)) widths.set(language, widthOf(scope, language));
    const width = widths.get(language);
    if (width === undefined) return [];
    const before = draft.lines.text.split('\n');
    const after = draft.editedLines.text.split('\n');
    const isLong = (text: string | undefined) => text !== undefined && text.length > width;
    // With other numbers of lines these do not correspond.
    if (before.length !== after.length) return [];
    return after.flatMap((text, line) => (isLong(text) && !isLong(before[line]) ? [{ file: path, line }] : []));
  });
  return lines.length === 0
    ? []
    : [
        `${counted(lines.length, 'line is', 'lines are')} longer now than the formatter keeps them: ${linesNote(lines)}`,
      ];
}

/** Returns the line length of the formatter that the project configures for a language. */
function widthOf(scope: SymbolScope, language: string): number | undefined {
  for (const { file, uses, width, usual } of profileOf(language)?.formatters ?? []) {
    const text = readable(scope, file)?.text;
    if (text === undefined || !uses.test(text)) continue;
    const [, digits] = width.exec(text) ?? [];
    return digits === undefined ? usual : Number(digits);
  }
  return undefined;
}
