import { type MatchLines, matchLines, renderMatch } from '../text/display.ts';
import { lineStarts, lineText } from '../text/lines.ts';
import type { MatchLine, SearchedFile, SearchQuery } from './scan-protocol.ts';

/** Length at which the reference truncates long lines. */
const briefChars = 60;

/** The matches in one file; `offsets` contains start and end of each match alternately. */
interface FileMatches {
  readonly path: string;
  readonly text: string;
  readonly offsets: readonly number[];
}

/** The representations of one file's matches, including those that may later turn out to be too long. */
interface CollectedFile {
  readonly path: string;
  readonly count: number;
  readonly blocks: string[];
  readonly firstLines: MatchLine[];
  readonly briefLines: MatchLine[];
  readonly lines: number[];
}

/**
 * Collects matches in every representation that an answer may use, each only until it exceeds the length of an answer:
 * `\w+` in a large project must not produce hundreds of megabytes that are never sent.
 */
export class MatchCollector {
  readonly #query: SearchQuery;
  readonly #files: CollectedFile[] = [];
  #totalMatches = 0;
  readonly #blocks: CharBudget;
  readonly #firstLines: CharBudget;
  readonly #briefLines: CharBudget;
  readonly #lines: CharBudget;

  constructor(query: SearchQuery) {
    this.#query = query;
    this.#blocks = CharBudget.counted(query.maxChars);
    this.#firstLines = new CharBudget(query.maxChars);
    this.#briefLines = new CharBudget(query.maxChars);
    this.#lines = new CharBudget(query.maxChars);
  }

  add(matches: FileMatches): void {
    const count = matches.offsets.length / 2;
    this.#totalMatches += count;
    const file = { path: matches.path, count, blocks: [], firstLines: [], briefLines: [], lines: [] };
    this.#files.push(file);
    if (this.#isFull) return;
    const starts = lineStarts(matches.text);
    for (let index = 0; index < matches.offsets.length && !this.#isFull; index += 2) {
      const lines = matchLines(starts, matches.offsets[index] ?? 0, matches.offsets[index + 1] ?? 0);
      this.#addMatch(file, lines, { text: matches.text, starts });
    }
  }

  /** Returns the collected matches; a representation that became too long is omitted from all files. */
  result(): { files: SearchedFile[]; totalMatches: number } {
    const files = this.#files.map(({ path, count, blocks, firstLines, briefLines, lines }) => ({
      path,
      count,
      ...(this.#blocks.isUsedUp ? {} : { blocks }),
      ...(this.#firstLines.isUsedUp ? {} : { firstLines }),
      ...(this.#briefLines.isUsedUp ? {} : { briefLines }),
      ...(this.#lines.isUsedUp ? {} : { lines }),
    }));
    return { files, totalMatches: this.#totalMatches };
  }

  /** Line numbers are the shortest representation; the blocks have the largest budget. */
  get #isFull(): boolean {
    return this.#lines.isUsedUp && this.#blocks.isUsedUp;
  }

  #addMatch(file: CollectedFile, lines: MatchLines, from: { text: string; starts: readonly number[] }): void {
    const line = lines.first;
    if (this.#lines.take(String(line).length + 1)) file.lines.push(line);
    if (this.#blocks.isUsedUp && this.#briefLines.isUsedUp) return;
    if (!this.#blocks.isUsedUp) {
      const { contextBefore: before, contextAfter: after } = this.#query;
      const block = renderMatch(from.text, from.starts, lines, { before, after });
      if (this.#blocks.take(block.length + 1)) file.blocks.push(block);
    }
    if (this.#briefLines.isUsedUp) return;
    const text = (lineText(from.text, from.starts, line) ?? '').trim();
    // The key names and quotes of an entry take about 20 characters.
    if (this.#firstLines.take(text.length + 20)) file.firstLines.push({ line, text });
    const brief = shorten(text);
    if (this.#briefLines.take(brief.length + 20)) file.briefLines.push({ line, text: brief });
  }
}

function shorten(text: string): string {
  if (text.length <= briefChars) return text;
  const characters = Array.from(text.slice(0, 2 * briefChars + 2));
  return characters.length <= briefChars ? text : `${characters.slice(0, briefChars).join('')}...`;
}

/**
 * Up to this length the full answer is assembled even if it exceeds the limit: the notice then states its exact length.
 */
const countedChars = 250_000;

/** The number of characters that one representation of an answer may still use. */
export class CharBudget {
  #left: number;

  constructor(maxChars: number) {
    // The limit counts code points, of which each may be two UTF-16 code units.
    this.#left = maxChars * 2;
  }

  /** Returns the budget of the fullest representation. */
  static counted(maxChars: number): CharBudget {
    return new CharBudget(Math.max(maxChars, countedChars));
  }

  get isUsedUp(): boolean {
    return this.#left < 0;
  }

  /** Uses up `chars` characters and returns whether they fit. */
  take(chars: number): boolean {
    if (this.#left >= 0) this.#left -= chars;
    return this.#left >= 0;
  }
}
