import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { resolveInProject } from '../../search/project-path.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { comparePositions, type Range, touches } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import type { TrialError } from './edit-trial.ts';

/** A string literal whose content is exactly a name. */
export interface NamingString {
  /** Project-relative path with `/`. */
  readonly file: string;
  /** The content without quotes, in the present text. */
  readonly range: Range;
  /** Difference between its column after the rename's other steps and its present one. */
  readonly shift: number;
}

interface NameChange {
  readonly name: string;
  readonly newName: string;
}

const quoted = `(['"\`])`;
const simpleName = /^[\p{L}\p{N}_]+$/u;
/** An error may be reported at the variable, and its string be some lines below. */
const linesBelow = 2;

/** Returns the strings with exactly the old name in the server's files that no step of a rename changes. */
export async function namingStrings(
  scope: SymbolScope,
  { active, name, steps }: { active: ActiveServer; name: string; steps: readonly WorkspaceStep[] },
): Promise<NamingString[]> {
  if (!simpleName.test(name)) return [];
  const {
    project: { scanner },
    sources,
  } = scope.files;
  const extensions = Object.keys(active.spec.files);
  const search = { multiline: false, contextBefore: 0, contextAfter: 0, maxChars: 1 };
  const query = { ...search, pattern: `${quoted}${name}\\1`, extensions, pruneDirectories: sources.prunedFor(active) };
  const { files } = await scanner.search(query, scope.call.signal);
  return files.flatMap(({ path: file }) => {
    if (sources.serverOf(file) !== active) return [];
    const own = steps.flatMap((step) =>
      step.do === 'edit' && resolveInProject(scope.files.project, step.file) === file ? step.edits : [],
    );
    return stringsIn(scope, file, name).flatMap((range) => {
      const isChanged = own.some((edit) => touches(edit.range, range));
      const before = own.filter(
        (edit) => edit.range.start.line === range.start.line && comparePositions(edit.range.end, range.start) <= 0,
      );
      const shift = before.reduce((sum, { range: { start, end }, newText }) => {
        return sum + newText.length - (end.character - start.character);
      }, 0);
      return isChanged ? [] : [{ file, range, shift }];
    });
  });
}

function stringsIn(scope: SymbolScope, file: string, name: string): Range[] {
  const read = readable(scope, file);
  if (read === undefined) return [];
  const { text, starts } = read;
  return [...text.matchAll(new RegExp(`${quoted}${name}\\1`, 'gu'))].map(({ index }) => ({
    start: positionAt(text, starts, index + 1),
    end: positionAt(text, starts, index + 1 + name.length),
  }));
}

/** Returns a string's column after the rename, if the `renamed` strings get the new name too. */
export function columnIn(
  { file, range: { start }, shift }: NamingString,
  { name, newName }: NameChange,
  renamed: ReadonlySet<NamingString>,
): number {
  const before = [...renamed].filter(
    (other) =>
      other.file === file && other.range.start.line === start.line && other.range.start.character < start.character,
  );
  return start.character + shift + before.length * (newName.length - name.length);
}

/**
 * Returns the strings that may cause an error of the trial in which the `chosen` ones are renamed. Exact are those that
 * the error names; without one, all strings near it are returned, or all of its file.
 */
export function stringsAt(
  strings: readonly NamingString[],
  { error, chosen, ...change }: NameChange & { error: TrialError; chosen: ReadonlySet<NamingString> },
): { string: NamingString; isExact: boolean }[] {
  const { start, end } = error.diagnostic.range;
  const inFile = strings.filter((string) => string.file === error.file && !chosen.has(string));
  const exact = inFile.filter((string) => {
    const { line } = string.range.start;
    const from = columnIn(string, change, chosen) - 1;
    const to = from + change.name.length + 2;
    return line === start.line && line === end.line && from <= start.character && end.character <= to;
  });
  if (exact.length > 0) return exact.map((string) => ({ string, isExact: true }));
  const near = inFile.filter(
    ({ range }) => start.line <= range.start.line && range.start.line <= end.line + linesBelow,
  );
  return (near.length > 0 ? near : inFile).map((string) => ({ string, isExact: false }));
}
