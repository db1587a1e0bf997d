import { ExpectedError, isExpected } from '../../base/errors.ts';
import { usageError } from '../report.ts';

/** An edit as `apply_edits` takes it. */
interface Edit {
  readonly tool: string;
  readonly arguments: unknown;
}

/** Returns the call that the words of an edit command stand for. @throws {ExpectedError} `usage.invalid`. */
type RequestOf = (words: readonly string[]) => Promise<{ readonly tool: string; readonly args: unknown }>;

/**
 * Returns the edits of a text with an edit command on each line. Empty lines and those that begin with `#` are skipped.
 *
 * @throws {ExpectedError} `usage.invalid` naming the line; what `requestOf` throws.
 */
export async function editsIn(text: string, requestOf: RequestOf): Promise<Edit[]> {
  const edits: Edit[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    try {
      const { tool, args } = await requestOf(wordsOf(line.trim()));
      edits.push({ tool, arguments: args });
    } catch (error) {
      throw isExpected(error, 'usage.invalid') ? atLine(error, index + 1) : error;
    }
  }
  if (edits.length === 0) throw usageError('there is no command to apply', ['write one edit command on each line']);
  return edits;
}

/** Returns the words of a line as a shell separates them: in quotes, or at white space without a backslash before it. */
function wordsOf(line: string): string[] {
  const part = String.raw`'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\]`;
  if (!new RegExp(`^(?:${part}|\\s)*$`).test(line)) throw usageError('a quote is not closed', ['close it']);
  const words = line.match(new RegExp(`(?:${part})+`, 'g')) ?? [];
  return words.map((word) =>
    word.replaceAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g, (_, single, double, escaped) =>
      single !== undefined ? single : double !== undefined ? double.replaceAll(/\\(["\\])/g, '$1') : escaped,
    ),
  );
}

function atLine(error: ExpectedError, line: number): ExpectedError {
  return new ExpectedError(error.code, `line ${line}: ${error.message}`, { hints: error.hints, cause: error });
}
