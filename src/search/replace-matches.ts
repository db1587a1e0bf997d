import { requireIntended, type SubstitutionRule } from '../text/substitute.ts';
import type { Scanner } from './scanner.ts';

/** A text with `\n` line breaks whose parts can be replaced. Offsets are those of the unchanged text. */
interface EditableText {
  readonly text: string;
  replace(start: number, end: number, replacement: string): void;
}

/** A search and replace operation in one text, with what the caller expects of its matches. */
export interface Replacement extends SubstitutionRule {
  /** Path or name of the text, for messages about slow patterns. */
  readonly path: string;
  /** Origin of the text as it follows "in" in a message. Default: the path in backticks. */
  readonly place?: string;
  /** True if several matches may be replaced. */
  readonly allowsMultiple: boolean;
  /** True if a match that contains another match may be replaced. */
  readonly allowsAmbiguous?: boolean;
}

/**
 * Finds the matches of a rule in a text, checks that they are what the caller expects, and replaces them. Returns their
 * number. The user's pattern runs in a worker thread.
 *
 * `replace_in_files` does not use this: the thread reads its files, its matches are chosen by id or by an expected count
 * over all files, and its errors list them.
 *
 * @throws {ExpectedError} `edit.ambiguous`, `edit.no-match`, `edit.unexpected-count`, in this order; errors of
 *   {@link Scanner.substitutions}.
 */
export async function replaceMatches(
  draft: EditableText,
  replacement: Replacement,
  { scanner, signal }: { scanner: Pick<Scanner, 'substitutions'>; signal: AbortSignal },
): Promise<number> {
  const { needle, repl, mode, path, place = `\`${path}\``, allowsMultiple, allowsAmbiguous = false } = replacement;
  const found = await scanner.substitutions({ text: draft.text, needle, repl, mode, path }, signal);
  requireIntended(found, { needle, place, allowsMultiple, allowsAmbiguous });
  for (const match of found) draft.replace(match.start, match.end, match.replacement);
  return found.length;
}
