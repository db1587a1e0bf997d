import type { ReceivedRequest, WorkerControl } from '../base/worker-protocol.ts';
import type { Position } from '../text/position.ts';
import type { PatternMatch } from '../text/python-regex/python-regex.ts';
import type { Substitution, SubstitutionQuery, SubstitutionRule } from '../text/substitute.ts';
import type { ProjectDirectory } from './project-path.ts';

export interface ScanScope {
  /** Relative path of a file or directory; `''` or absent is the root. A file named here is always in scope. */
  readonly under?: string | undefined;
  /** Also ignored files, and the content of `.git`. Implied if `under` itself is ignored. */
  readonly includeIgnored?: boolean | undefined;
  /** Names of directories that are not entered, except those in `under`. */
  readonly pruneDirectories?: readonly string[] | undefined;
  /** Extensions (`.py`, `.d.ts`) or names (`go.mod`) of files; absent means all files. */
  readonly extensions?: readonly string[] | undefined;
  /** Also symbolic links to files that are in the project under another name or outside it: for listings of names. */
  readonly includeLinks?: boolean | undefined;
  /**
   * Id of a request: files that a later request has checked for changes are not checked again. A question that needs
   * several requests passes `Scanner.lastRequest` as of its beginning. Absent means that all files are checked.
   */
  readonly asOf?: number | undefined;
}

export interface ScannedFile {
  /** Relative to the project root. */
  readonly path: string;
  /** Changes whenever the file changes, whatever its new time is. Equal fingerprints mean equal content. */
  readonly fingerprint: string;
}

/** The content of a directory as sorted relative paths, each directory before its content. */
export interface DirectoryListing {
  readonly dirs: string[];
  readonly files: string[];
  /** Those of `dirs` whose entries could not be read. */
  readonly unreadable: string[];
}

/** The differences from the state at an earlier cursor, as sorted relative paths. */
export interface Changes {
  /** To pass with the next request. */
  readonly cursor: number;
  readonly created: string[];
  readonly changed: string[];
  readonly deleted: string[];
  /** True if the earlier state is no longer known: the lists are then empty although any file may have changed. */
  readonly isLost: boolean;
}

export interface ChangesQuery {
  /** `undefined` to record the current state for later comparisons. */
  readonly cursor: number | undefined;
  readonly extensions: readonly string[];
  readonly pruneDirectories?: readonly string[] | undefined;
}

/** A search for a regular expression (see docs/compatibility.md, Searching files). */
export interface SearchQuery extends ScanScope {
  readonly pattern: string;
  /** DOTALL and MULTILINE. */
  readonly multiline: boolean;
  readonly contextBefore: number;
  readonly contextAfter: number;
  readonly includeGlob?: string | undefined;
  readonly excludeGlob?: string | undefined;
  /** Maximum length of an answer in characters. Longer representations are not collected. */
  readonly maxChars: number;
}

/** The first line of a match. */
export interface MatchLine {
  /** 0-based. */
  readonly line: number;
  /** Trimmed. */
  readonly text: string;
}

/**
 * The matches in one file, in order. Each list has one entry per match; it is absent from all files if its total length
 * over all files exceeds the query's limit.
 */
export interface SearchedFile {
  readonly path: string;
  readonly count: number;
  /** The matched lines with their context, in the line display format. */
  readonly blocks?: readonly string[];
  readonly firstLines?: readonly MatchLine[];
  /** As `firstLines`, with texts of more than 60 characters truncated and `...` appended. */
  readonly briefLines?: readonly MatchLine[];
  /** 0-based number of each match's first line. */
  readonly lines?: readonly number[];
}

export interface SearchResult {
  /** Files with matches, by path. */
  readonly files: SearchedFile[];
  readonly totalMatches: number;
  /** Relative paths of files in scope that are not valid in the project's encoding, without binary files. */
  readonly undecodable: string[];
  /** Relative paths of files and directories in scope that could not be read. */
  readonly unreadable: string[];
}

export interface MatchQuery {
  readonly pattern: string;
  /** DOTALL and MULTILINE. */
  readonly multiline: boolean;
  /** Has `\n` as its only line break. */
  readonly text: string;
  /** The file of the text, for messages. */
  readonly path?: string | undefined;
}

export interface TextMatch extends PatternMatch {
  /** Start offsets of the match and of each group; `undefined` for a group that did not take part. */
  readonly groupStarts: readonly (number | undefined)[];
}

/** A search for the occurrences that a rule would replace (see docs/compatibility.md, Replacing in many files). */
export interface OccurrenceQuery extends ScanScope, SubstitutionRule {
  readonly includeGlob?: string | undefined;
  readonly excludeGlob?: string | undefined;
  /** Relative paths to restrict the scope to. */
  readonly paths?: readonly string[] | undefined;
  /** As in a {@link SearchQuery}. */
  readonly maxChars: number;
  readonly withEdits: boolean;
}

/** The occurrences in one file, in order. A rendering is absent from all files if it became too long. */
export interface FileOccurrences {
  readonly path: string;
  readonly count: number;
  readonly ambiguousCount: number;
  /** Each occurrence with its whole lines before and after the replacement. */
  readonly changes?: readonly string[];
  /** One line for each occurrence: its id and line number. */
  readonly places?: readonly string[];
  /** Present if the query has `withEdits`. */
  readonly edits?: FileEdits;
}

/** The replacements in one file; `replacements` and `marks` have one entry per occurrence. */
export interface FileEdits {
  /** SHA-1 of the bytes of the file to which the offsets belong, in hexadecimal. */
  readonly contentHash: string;
  /**
   * Start and end of each occurrence alternately, in UTF-16 code units of the text with `\n` as its only line break.
   */
  readonly offsets: readonly number[];
  readonly replacements: readonly string[];
  /** The hash in the id of each occurrence; see `OccurrenceId`. */
  readonly marks: readonly string[];
}

export interface OccurrenceResult {
  /** Files with occurrences, by path. */
  readonly files: FileOccurrences[];
  /** As in a {@link SearchResult}. */
  readonly undecodable: string[];
  readonly unreadable: string[];
}

export interface IdentifierQuery extends ScanScope {
  readonly name: string;
  /** True to find the name also as part of an identifier. */
  readonly isPart?: boolean;
  /** Relative paths to restrict the scope to. */
  readonly paths?: readonly string[];
  /** LSP language ids by file extension (with its dot). Files with other extensions are not searched. */
  readonly languages: Readonly<Record<string, string>>;
  /** Number of places after which no further file is read. */
  readonly limit?: number | undefined;
}

/** The position of a name in code; see `src/text/identifiers.ts`. */
export interface IdentifierPosition extends Position {
  readonly length?: number;
  readonly qualifier: string;
  readonly alias?: Position & { readonly name: string };
  /** Where the code declares what a bare name means, if the syntax tree of its file shows that. */
  readonly binding?: Position;
}

/** The positions of a name in the code of one file. */
export interface FileIdentifiers {
  readonly path: string;
  readonly places: readonly IdentifierPosition[];
  /** True if the file has a character that only some programs treat as a line break: U+2028, U+2029 or a lone `\r`. */
  readonly hasOddBreaks: boolean;
}

/** Files with a name in their code, sorted by path. */
export interface IdentifierResult {
  readonly files: readonly FileIdentifiers[];
  /** Relative paths of files in scope that may contain it but could not be read or decoded. */
  readonly unread: readonly string[];
  /** True if the limit was reached, so that files may be missing. */
  readonly isCutOff: boolean;
}

export interface WholeMatchQuery {
  readonly patterns: readonly string[];
  readonly texts: readonly string[];
}

/** A search for files by name, including the symbolic links that are followed in the project. */
export interface NameQuery {
  /** Relative path of the directory to search; `''` for the root. */
  readonly under: string;
  /** A shell-style mask of base names. */
  readonly mask: string;
  readonly ignoreCase: boolean;
  /** Treatment of ignored files: omitted, listed, or counted (and listed only if no other file matches). */
  readonly ignored: 'left-out' | 'listed' | 'counted';
}

/** Files found by name. Files in a `.git` directory are included only if the search starts there. */
export interface NameMatches {
  /** Relative paths, sorted. */
  readonly files: string[];
  /** Number of ignored files that match; 0 if they are omitted. */
  readonly ignoredCount: number;
  /** True if `files` are the ignored ones because no other file matches. */
  readonly areAllIgnored: boolean;
  /** If no file matches, file names similar to the mask, the most similar first. */
  readonly nearNames: string[];
  /** As in a {@link DirectoryListing}. */
  readonly unreadable: string[];
}

export interface ScanOperations {
  listFiles: { query: ScanScope; answer: ScannedFile[] };
  findNames: { query: NameQuery; answer: NameMatches };
  listDirectory: { query: { path: string; recursive: boolean; includeIgnored: boolean }; answer: DirectoryListing };
  filesContaining: { query: ScanScope & { readonly literal: string }; answer: ScannedFile[] };
  identifiers: { query: IdentifierQuery; answer: IdentifierResult };
  ignored: { query: { paths: readonly string[] }; answer: string[] };
  changes: { query: ChangesQuery; answer: Changes };
  extensionCounts: { query: Record<never, never>; answer: Record<string, number> };
  search: { query: SearchQuery; answer: SearchResult };
  matches: { query: MatchQuery; answer: TextMatch[] };
  /** For each text, whether a pattern matches the whole of it. */
  wholeMatches: { query: WholeMatchQuery; answer: boolean[] };
  substitutions: { query: SubstitutionQuery; answer: Substitution[] };
  occurrences: { query: OccurrenceQuery; answer: OccurrenceResult };
  /** Indexes files: all that are not ignored, or those of an {@link UnindexedFiles}. The answer is their number. */
  updateIndex: { query: { readonly unindexed?: UnindexedFiles }; answer: number };
}

/** Relative paths of files, separated by NUL: a single string is sent to another thread many times as fast. */
export type UnindexedFiles = string;

export type ScanKind = keyof ScanOperations;

/** A request as the worker receives it. */
export type ScanRequest = ReceivedRequest<ScanOperations>;

/** Where the index of the project's files is, and when it is extended. */
export interface IndexSetup {
  /** Absolute path of the project's cache directory. */
  readonly directory: string;
  /** The number of unknown files in one question from which they are indexed. Reading fewer is fast enough. */
  readonly minUnindexed: number;
}

/** The data that a worker is started with. */
export interface ScanSetup extends ProjectDirectory, WorkerControl {
  /** Patterns in gitignore syntax; every `.gitignore` takes precedence over them. */
  readonly ignoredPaths: readonly string[];
  readonly useGitignore: boolean;
  readonly encoding: string;
  readonly index?: IndexSetup | undefined;
}
