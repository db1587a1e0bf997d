import { codecOf, decode } from '../text/decode.ts';
import type { TextCodec } from '../text/encodings.ts';
import { filterByGlobs } from '../text/glob.ts';
import { normalizeNewlines } from '../text/lines.ts';
import {
  compilePattern,
  findMatches,
  forEachMatch,
  groupStarts,
  matchesWhole,
} from '../text/python-regex/python-regex.ts';
import type { IndexedState } from '../word-index/file-index.ts';
import { FileExcluder } from './file-reader.ts';
import { MatchCollector } from './match-collector.ts';
import type {
  MatchQuery,
  ScannedFile,
  ScanScope,
  SearchQuery,
  SearchResult,
  TextMatch,
  WholeMatchQuery,
} from './scan-protocol.ts';
import { findFiles, findReadable } from './scan-walk.ts';
import type { Entry } from './snapshot.ts';
import { hasOwnBytes, type IndexedTexts, type TextSource } from './text-index.ts';

/** If the index knows more of the files, looking them up is faster than reading them. */
const maxIndexedShare = 1 / 8;

/**
 * Finds all matches of a regular expression in the files in scope.
 *
 * @throws {ExpectedError} `search.bad-pattern`, `search.bad-glob`, `search.too-slow`, `file.not-found`.
 */
export function search(source: TextSource, query: SearchQuery): SearchResult {
  const compiled = compilePattern(query.pattern, { multiline: query.multiline });
  const collector = new MatchCollector(query);
  const { literals, indexed } = compiled;
  const unread = readTexts(source, { ...query, literals, indexed }, ({ path, text }) => {
    const offsets: number[] = [];
    forEachMatch(compiled, text, (start, end) => offsets.push(start, end), path);
    if (offsets.length > 0) collector.add({ path, text, offsets });
  });
  return { ...collector.result(), ...unread };
}

interface TextScope extends ScanScope {
  readonly includeGlob?: string | undefined;
  readonly excludeGlob?: string | undefined;
  readonly paths?: readonly string[] | undefined;
  /** Strings of which a file must contain at least one; `undefined` to read all files. */
  readonly literals: readonly string[] | undefined;
  /** The same for the index. */
  readonly indexed: IndexedTexts | undefined;
  /** True once no further file has to be read. */
  readonly isEnough?: () => boolean;
}

/** The text of one file, with `\n` as its only line break. */
interface FileText {
  readonly path: string;
  readonly text: string;
  /** Valid during the call. */
  readonly bytes: Buffer;
}

/**
 * Calls `visit` with the text of each file in scope that may contain one of the literals, sorted by path. Returns the
 * paths of files that are not valid in their encoding (without binary files), and of files and directories that cannot
 * be read.
 *
 * @throws {ExpectedError} `search.bad-glob`, `file.not-found`.
 */
export function readTexts(
  source: TextSource,
  scope: TextScope,
  visit: (file: FileText) => void,
): { undecodable: string[]; unreadable: string[] } {
  const walked = findReadable(source.snapshot, scope, source.checkStop);
  const entries = selectFiles(walked.entries, scope);
  const mayMatch = byteTest(scope.literals, source.codec);
  const undecodable: string[] = [];
  const unreadable = walked.unreadable.map((path) => `${path}/`);
  const lookUp = source.index?.lookup(scope.indexed, entries);
  source.contents.begin(entries.length);
  const { literals, isEnough } = scope;
  forEachCandidate(source, { entries, literals, isEnough }, (entry, number) => {
    const state = source.snapshot.file(entry);
    // A binary file has no text, whatever its bytes are.
    if (isWithoutText(lookUp?.(entry.path, state, number))) return;
    const bytes = state && source.contents.read(source.snapshot.place(entry.path), state);
    if (bytes === undefined) unreadable.push(entry.path);
    if (bytes === undefined || !mayMatch(bytes)) return;
    const decoded = decode(bytes, source.codec);
    if (decoded.kind === 'undecodable') undecodable.push(entry.path);
    if (decoded.kind === 'text') visit({ path: entry.path, text: normalizeNewlines(decoded.text), bytes });
  });
  return { undecodable, unreadable };
}

interface CandidateScope {
  readonly entries: readonly Entry[];
  /** Strings of which a file must contain at least one. */
  readonly literals: readonly string[] | undefined;
  readonly isEnough?: (() => boolean) | undefined;
}

/** Calls `visit` with each file and its number, without files that a {@link FileExcluder} excludes. */
function forEachCandidate(
  source: TextSource,
  scope: CandidateScope,
  visit: (entry: Entry, number: number) => void,
): void {
  const excluder = excluderFor(source, scope);
  try {
    for (const [number, entry] of scope.entries.entries()) {
      source.checkStop();
      if (scope.isEnough?.()) return;
      if (excluder?.excludes(entry.path)) source.index?.addUnindexed(entry.path);
      else visit(entry, number);
    }
  } finally {
    excluder?.release();
  }
}

/** Returns `undefined` if what is known about the files saves more than reading them without their states. */
function excluderFor(source: TextSource, { entries, literals }: CandidateScope): FileExcluder | undefined {
  const { snapshot, contents, codec, index } = source;
  if (literals === undefined || contents.isKeeping) return undefined;
  if (!literals.every((literal) => hasOwnBytes(literal, codec))) return undefined;
  if (index !== undefined && index.files.fileCount > maxIndexedShare * entries.length) return undefined;
  return new FileExcluder({ root: snapshot.place('').root, mayMatch: byteTest(literals, codec) });
}

function isWithoutText(known: IndexedState | undefined): boolean {
  return known === 'excluded' || known === 'binary';
}

/** Returns the files in scope whose text contains `literal`, without those that cannot be read. */
export function filesContaining(source: TextSource, query: ScanScope & { readonly literal: string }): ScannedFile[] {
  const { literal } = query;
  const mayContain = byteTest([literal], source.codec);
  const found: ScannedFile[] = [];
  const entries = findFiles(source.snapshot, query, source.checkStop);
  const lookUp = source.index?.lookup({ texts: [literal], ignoresCase: false }, entries);
  source.contents.begin(entries.length);
  forEachCandidate(source, { entries, literals: [literal] }, (entry, number) => {
    const state = source.snapshot.file(entry);
    if (state === undefined || lookUp?.(entry.path, state, number) === 'excluded') return;
    const bytes = source.contents.read(source.snapshot.place(entry.path), state);
    if (bytes === undefined || !mayContain(bytes)) return;
    if (hasOwnBytes(literal, codecOf(bytes, source.codec)) || mayContainText(bytes, source.codec, literal)) {
      found.push({ path: entry.path, fingerprint: state.fingerprint });
    }
  });
  return found;
}

/**
 * True if the text contains the literal or cannot be decoded. The caller reports undecodable files when it reads them.
 */
function mayContainText(bytes: Buffer, codec: TextCodec, literal: string): boolean {
  const decoded = decode(bytes, codec);
  return decoded.kind === 'text' ? decoded.text.includes(literal) : decoded.kind === 'undecodable';
}

/**
 * Finds all matches of a regular expression in one text.
 *
 * @throws {ExpectedError} `search.bad-pattern`, `search.too-slow`.
 */
export function matches(query: MatchQuery): TextMatch[] {
  const { pattern, multiline, text, path } = query;
  const compiled = compilePattern(pattern, { multiline });
  return findMatches(compiled, text, path).map((match) => ({
    ...match,
    groupStarts: groupStarts(compiled, text, match),
  }));
}

/**
 * Returns for each text whether one of the patterns matches the whole of it.
 *
 * @throws {ExpectedError} `search.bad-pattern`, `search.too-slow`.
 */
export function wholeMatches({ patterns, texts }: WholeMatchQuery): boolean[] {
  const compiled = patterns.map((pattern) => compilePattern(pattern, { multiline: false }));
  return texts.map((text) => compiled.some((pattern) => matchesWhole(pattern, text)));
}

function selectFiles(entries: readonly Entry[], scope: TextScope): readonly Entry[] {
  const { includeGlob: include, excludeGlob: exclude } = scope;
  const allowed = scope.paths && new Set(scope.paths);
  const among = allowed === undefined ? entries : entries.filter(({ path }) => allowed.has(path));
  // The same list as before: what is known of its files is found by their places in it.
  if (`${include ?? ''}${exclude ?? ''}`.trim() === '') return among;
  const paths = among.map((entry) => entry.path);
  const isSelected = new Set(filterByGlobs(paths, { include, exclude }));
  return among.filter((entry) => isSelected.has(entry.path));
}

/**
 * Returns a test of a file's bytes that is false only if its text cannot contain any of `texts`. Decoding all files
 * would take several times as long as searching for a few bytes.
 */
function byteTest(texts: readonly string[] | undefined, projectCodec: TextCodec): (bytes: Buffer) => boolean {
  if (texts === undefined) return () => true;
  const needles = texts.map((text) => Buffer.from(text, 'utf8'));
  const isTestable = (codec: TextCodec) => texts.every((text) => hasOwnBytes(text, codec));
  const isUsuallyTestable = isTestable(projectCodec);
  return (bytes) => {
    const codec = codecOf(bytes, projectCodec);
    if (!(codec === projectCodec ? isUsuallyTestable : isTestable(codec))) return true;
    return needles.some((needle) => bytes.includes(needle));
  };
}
