import { createHash } from 'node:crypto';
import {
  contentDigest,
  occurrenceMark,
  renderOccurrence,
  renderOccurrenceId,
  renderOccurrenceLine,
} from '../text/occurrence.ts';
import { compileSubstitution, type Substitution } from '../text/substitute.ts';
import { textLines } from '../text/text-lines.ts';
import { CharBudget } from './match-collector.ts';
import type { FileEdits, FileOccurrences, OccurrenceQuery, OccurrenceResult } from './scan-protocol.ts';
import { readTexts } from './scan-search.ts';
import type { TextSource } from './text-index.ts';

interface FileSubstitutions {
  readonly path: string;
  readonly text: string;
  readonly bytes: Buffer;
  readonly found: readonly Substitution[];
}

/** Remaining space for renderings: replacing a million words must not build a list that is too long for any answer. */
interface CharBudgets {
  readonly changes: CharBudget;
  readonly places: CharBudget;
}

/**
 * Finds the occurrences that a rule would replace in the files in scope.
 *
 * @throws {ExpectedError} `search.bad-pattern`, `search.bad-glob`, `search.too-slow`, `tool.invalid-input`,
 *   `edit.no-group`, `file.not-found`.
 */
export function occurrences(source: TextSource, query: OccurrenceQuery): OccurrenceResult {
  const rule = compileSubstitution(query);
  const budgets = { changes: CharBudget.counted(query.maxChars), places: new CharBudget(query.maxChars) };
  const files: FileOccurrences[] = [];
  const unread = readTexts(source, { ...query, literals: rule.literals, indexed: rule.indexed }, (file) => {
    const found = rule.find(file.text, file.path);
    if (found.length > 0) files.push(collected({ ...file, found }, query, budgets));
  });
  return { files: files.map((file) => withoutPartial(file, budgets)), ...unread };
}

function collected(file: FileSubstitutions, query: OccurrenceQuery, budgets: CharBudgets): FileOccurrences {
  const { path, found } = file;
  return {
    path,
    count: found.length,
    ambiguousCount: found.filter(({ isAmbiguous }) => isAmbiguous).length,
    ...rendered(file, budgets),
    ...(query.withEdits ? { edits: editsOf(file) } : {}),
  };
}

function rendered(
  { path, text, bytes, found }: FileSubstitutions,
  { changes, places }: CharBudgets,
): Pick<FileOccurrences, 'changes' | 'places'> {
  const kept: { changes: string[]; places: string[] } = { changes: [], places: [] };
  if (places.isUsedUp && changes.isUsedUp) return kept;
  const lines = textLines(text);
  const content = contentDigest(bytes);
  for (const [index, occurrence] of found.entries()) {
    if (places.isUsedUp && changes.isUsedUp) break;
    const id = renderOccurrenceId({ path, index, mark: occurrenceMark(content, occurrence) });
    const place = renderOccurrenceLine(id, occurrence, lines);
    if (places.take(place.length + 1)) kept.places.push(place);
    if (changes.isUsedUp) continue;
    const change = renderOccurrence(id, occurrence, lines);
    if (changes.take(change.length + 1)) kept.changes.push(change);
  }
  return kept;
}

function withoutPartial(file: FileOccurrences, budgets: CharBudgets): FileOccurrences {
  const { changes, places, ...others } = file;
  return {
    ...others,
    ...(budgets.changes.isUsedUp || changes === undefined ? {} : { changes }),
    ...(budgets.places.isUsedUp || places === undefined ? {} : { places }),
  };
}

function editsOf({ bytes, found }: FileSubstitutions): FileEdits {
  const content = contentDigest(bytes);
  return {
    contentHash: createHash('sha1').update(bytes).digest('hex'),
    offsets: found.flatMap(({ start, end }) => [start, end]),
    replacements: found.map(({ replacement }) => replacement),
    marks: found.map((range) => occurrenceMark(content, range)),
  };
}
