import type { ErrorCode } from '../base/errors.ts';
import type { Position } from '../text/position.ts';
import type { PatternMatch } from '../text/python-regex/pattern-matches.ts';
import type { Substitution, SubstitutionQuery, SubstitutionRule } from '../text/substitute.ts';
import type { ProjectDirectory } from './project-path.ts';

/** Which files a question is about. */
export interface ScanScope {
  /** Relative path of a file or directory; `''` or absent is the root. A file named here is always in scope. */
  readonly under?: string | undefined;
  /** Also files that ignore rules exclude, and what is in `.git`. Implied where `under` itself is ignored. */
  readonly includeIgnored?: boolean | undefined;
  /** Names of directories that are never entered; one that `under` leads into is. */
  readonly pruneDirectories?: readonly string[] | undefined;
  /** Ends of base names (`.py`, `go.mod`); absent means all files. */
  readonly suffixes?: readonly string[] | undefined;
  /** Also symlinks to files that are in the project under another name, or outside it: for listings of names. */
  readonly includeLinks?: boolean | undefined;
}

/** A file in scope. */
export interface ScannedFile {
  /** Relative to the project root. */
  readonly path: string;
  /** Differs once the file has changed, whatever its new time says. Equal fingerprints mean equal content. */
  readonly fingerprint: string;
}

/** What a directory holds; relative paths, a directory before what is in it, sorted. */
export interface DirectoryListing {
  readonly dirs: string[];
  readonly files: string[];
  /** Those of `dirs` whose entries could not be read. */
  readonly unreadable: string[];
}

/** What differs from the state that an earlier cursor stands for; relative paths, sorted. */
export interface Changes {
  /** Pass it with the next question. */
  readonly cursor: number;
  readonly created: string[];
  readonly changed: string[];
  readonly deleted: string[];
  /** The earlier state is no longer known, so the lists are empty although any file may have changed. */
  readonly isLost: boolean;
}

export interface ChangesQuery {
  /** Absent to take the present state as the one to compare with later. */
  readonly cursor: number | undefined;
  readonly suffixes: readonly string[];
  readonly pruneDirectories?: readonly string[] | undefined;
}

/** A search for a regular expression (`spec/tools.md` §8.5). */
export interface SearchQuery extends ScanScope {
  readonly pattern: string;
  /** DOTALL and MULTILINE. */
  readonly multiline: boolean;
  readonly contextBefore: number;
  readonly contextAfter: number;
  readonly includeGlob?: string | undefined;
  readonly excludeGlob?: string | undefined;
  /** A representation that takes more characters than this cannot be part of an answer and is not collected. */
  readonly maxChars: number;
}

/** The first line of a match. */
export interface MatchLine {
  /** 0-based. */
  readonly line: number;
  /** Without the blanks around it. */
  readonly text: string;
}

/**
 * The matches in one file, in order. Each list has one entry a match; it is absent from all files if, over all files,
 * it takes more characters than the query's limit.
 */
export interface SearchedFile {
  readonly path: string;
  readonly count: number;
  /** The matched lines with their context, in the line display format. */
  readonly blocks?: readonly string[];
  readonly firstLines?: readonly MatchLine[];
  /** As `firstLines`, each text cut to 60 characters and `...` added where it is longer. */
  readonly briefLines?: readonly MatchLine[];
  /** 0-based number of each match's first line. */
  readonly lines?: readonly number[];
}

export interface SearchResult {
  /** Files with matches, by path. */
  readonly files: SearchedFile[];
  readonly totalMatches: number;
  /** Relative paths of files in scope that are not valid in the project's encoding. Binary files are left out. */
  readonly undecodable: string[];
  /** Relative paths of files and directories in scope that could not be read. */
  readonly unreadable: string[];
}

/** A pattern to be run over one text. */
export interface MatchQuery {
  readonly pattern: string;
  /** DOTALL and MULTILINE. */
  readonly multiline: boolean;
  /** `\n` is its only line break. */
  readonly text: string;
  /** Where the text is from, for messages. */
  readonly path?: string | undefined;
}

/** One match in a text. */
export interface TextMatch extends PatternMatch {
  /** Offset at which the match, then each group, begins; `undefined` for a group that took no part. */
  readonly groupStarts: readonly (number | undefined)[];
}

/** A search for what a rule would replace (`spec/tools.md` §8.7). */
export interface OccurrenceQuery extends ScanScope, SubstitutionRule {
  readonly includeGlob?: string | undefined;
  readonly excludeGlob?: string | undefined;
  /** Only these relative paths, of those in scope. */
  readonly paths?: readonly string[] | undefined;
  /** As in a {@link SearchQuery}. */
  readonly maxChars: number;
  readonly withEdits: boolean;
}

/** The occurrences in one file, in order. The renderings are absent from all files once one no longer fits. */
export interface FileOccurrences {
  readonly path: string;
  readonly count: number;
  readonly ambiguousCount: number;
  /** Each with its whole lines before and after. */
  readonly changes?: readonly string[];
  /** One line each. */
  readonly places?: readonly string[];
  /** Where they were asked for. */
  readonly edits?: FileEdits;
}

/** What is to be replaced in one file; the lists have one entry for each occurrence. */
export interface FileEdits {
  /** SHA-1 of the file's bytes, in hexadecimal, to which the offsets belong. */
  readonly contentHash: string;
  /** Start and end of each in turn, in UTF-16 code units of the text with `\n` as its only line break. */
  readonly offsets: readonly number[];
  readonly replacements: readonly string[];
  /** The last part of each one's id; see `OccurrenceId`. */
  readonly marks: readonly string[];
}

export interface OccurrenceResult {
  /** Files with occurrences, by path. */
  readonly files: FileOccurrences[];
  /** As in a {@link SearchResult}. */
  readonly undecodable: string[];
  readonly unreadable: string[];
}

/** A search for a name in code. */
export interface IdentifierQuery extends ScanScope {
  readonly name: string;
  /** Whether the name may be a part of an identifier. */
  readonly isPart?: boolean;
  /** Only these relative paths, of those in scope. */
  readonly paths?: readonly string[];
  /** File extension, from a dot on → LSP language id. An extension that is not here has no code. */
  readonly languages: Readonly<Record<string, string>>;
}

/** Where a name occurs in code; see `src/text/identifiers.ts`. */
export interface IdentifierPlace extends Position {
  readonly qualifier: string;
  readonly alias?: Position & { readonly name: string };
}

/** Where a name occurs in the code of one file. */
export interface FileIdentifiers {
  readonly path: string;
  readonly places: readonly IdentifierPlace[];
  /** True if the file has a character that ends a line for some programs only: U+2028, U+2029 or a lone `\r`. */
  readonly hasOddBreaks: boolean;
}

/** Files in which a name occurs in code, by path. */
export interface IdentifierResult {
  readonly files: readonly FileIdentifiers[];
  /** Relative paths of files in scope that may contain it but could not be read or decoded. */
  readonly unread: readonly string[];
}

/** Patterns to be compared with whole texts. */
export interface WholeMatchQuery {
  readonly patterns: readonly string[];
  readonly texts: readonly string[];
}

/** A search for files by name, the symbolic links that the project follows included. */
export interface NameQuery {
  /** Relative path of the directory to search; `''` for the root. */
  readonly under: string;
  /** A shell-style mask of base names. */
  readonly mask: string;
  readonly ignoreCase: boolean;
  /** Whether ignored files are left out, listed, or counted, and listed only if no other file matches. */
  readonly ignored: 'left-out' | 'listed' | 'counted';
}

/** Files by name. Of a `.git` directory none are among them, unless the search starts there. */
export interface FoundNames {
  /** Relative paths, sorted. */
  readonly files: string[];
  /** Number of ignored files that match; 0 where they are left out. */
  readonly ignoredCount: number;
  /** True if `files` are the ignored ones because no other file matches. */
  readonly areAllIgnored: boolean;
  /** If no file matches, names of files that are like the mask, the most similar first. */
  readonly nearNames: string[];
  /** As in a {@link DirectoryListing}. */
  readonly unreadable: string[];
}

/** The kinds of questions, with what is asked and what is answered. */
export interface ScanQuestions {
  listFiles: { query: ScanScope; answer: ScannedFile[] };
  findNames: { query: NameQuery; answer: FoundNames };
  listDirectory: { query: { path: string; recursive: boolean; includeIgnored: boolean }; answer: DirectoryListing };
  filesContaining: { query: ScanScope & { readonly literal: string }; answer: ScannedFile[] };
  identifiers: { query: IdentifierQuery; answer: IdentifierResult };
  ignored: { query: { paths: readonly string[] }; answer: string[] };
  changes: { query: ChangesQuery; answer: Changes };
  suffixCounts: { query: Record<never, never>; answer: Record<string, number> };
  search: { query: SearchQuery; answer: SearchResult };
  matches: { query: MatchQuery; answer: TextMatch[] };
  /** Of each text, whether a pattern matches the whole of it. */
  wholeMatches: { query: WholeMatchQuery; answer: boolean[] };
  substitutions: { query: SubstitutionQuery; answer: Substitution[] };
  occurrences: { query: OccurrenceQuery; answer: OccurrenceResult };
}

export type ScanKind = keyof ScanQuestions;

/** A question as it is sent. */
export interface SentRequest {
  readonly id: number;
  readonly kind: ScanKind;
  readonly query: ScanQuestions[ScanKind]['query'];
}

/** The same question where it arrives: its kind tells what its query holds. */
export type ScanRequest = { [K in ScanKind]: { id: number; kind: K; query: ScanQuestions[K]['query'] } }[ScanKind];

/** What a worker says: that it has started, or the answer to a question. */
export type ScanResponse =
  | { readonly isReady: true }
  | { readonly id: number; readonly answer: ScanQuestions[ScanKind]['answer'] }
  | { readonly id: number; readonly failure: ScanFailure };

export interface ScanFailure {
  /** Absent for a bug. */
  readonly code: ErrorCode | undefined;
  readonly message: string;
  readonly hints: readonly string[];
}

/** What a worker is started with. */
export interface ScanSetup extends ProjectDirectory {
  /** Patterns in gitignore syntax, before which every `.gitignore` has precedence. */
  readonly ignoredPaths: readonly string[];
  readonly useGitignore: boolean;
  readonly encoding: string;
  /** One number: the id of the question to be given up. */
  readonly stopFlag: SharedArrayBuffer;
}
