import { z } from 'zod';
import type { EditOracle } from './edits/model.ts';
import { Measured } from './measured.ts';
import type { OutsidePackage } from './outside-package.ts';

/** A position in a file of a package: a path from its root, a line and a column, both 0-based, in UTF-16 code units. */
export const Position = z.object({ file: z.string(), line: z.int(), column: z.int() });
export type Position = z.infer<typeof Position>;

/** A declaration that a question is about. */
export const BenchSymbol = z.object({
  name: z.string(),
  /** The product's own name path; other contenders translate it. */
  namePath: z.string(),
  kind: z.string(),
  isExported: z.boolean(),
  at: Position,
});
export type BenchSymbol = z.infer<typeof BenchSymbol>;

/**
 * The truth about the references to one symbol. An answer must name all of `must` and nothing outside `may`; the two
 * differ where oracles disagree, or where a rename changes declarations that an interface links to this one.
 */
export const Judged = z.object({
  symbol: BenchSymbol,
  must: z.array(Position),
  may: z.array(Position),
  /** Why `must` and `may` differ. */
  doubt: z.string().optional(),
});
export type Judged = z.infer<typeof Judged>;

/** A position, or all lines of a definition, of a contender that names the definition around a reference. */
export const AnsweredPosition = Position.extend({ endLine: z.int().optional() });
export type AnsweredPosition = z.infer<typeof AnsweredPosition>;

/** A contender's answer to one question. */
export const Answer = z.object({
  outcome: z.enum(['answered', 'refused', 'cannot']),
  /**
   * Of a question about references, implementations or errors: the lines of the answer; the column is 0 where a
   * contender gives none.
   */
  positions: z.array(AnsweredPosition).default([]),
  /** Of an overview question. */
  namePaths: z.array(z.string()).default([]),
  /** The contender's own words about what the answer lacks, or its reason to refuse. */
  label: z.string().optional(),
  ms: z.number().default(0),
  /** Length of the tools' names and arguments. */
  charsIn: z.int().default(0),
  /** Length of everything that the caller receives. */
  chars: z.int().default(0),
  /** Tokens (o200k_base) of the tools' names and arguments, and of everything that the caller receives. */
  tokensIn: z.int(),
  tokensOut: z.int(),
  /** Number of requests that a caller needs. */
  calls: z.int().default(1),
  /** Peak memory of all processes of the contender until this answer, without pages counted twice. */
  megabytes: z.number().optional(),
  measured: Measured.optional(),
});
export type Answer = z.infer<typeof Answer>;

/** The answer to a question that a contender has no function for. */
export const cannotAnswer: Answer = {
  outcome: 'cannot',
  positions: [],
  namePaths: [],
  ms: 0,
  charsIn: 0,
  chars: 0,
  tokensIn: 0,
  tokensOut: 0,
  calls: 0,
};

export type Language = 'go' | 'typescript' | 'python' | 'rust' | 'java' | 'cpp';

/** A real package in a pinned version. */
export interface BenchPackage {
  readonly language: Language;
  readonly name: string;
  /** Language server and language identifier, for the raw language server. */
  readonly serverId: string;
  readonly languageId: string;
  /** Endings of source files, with the dot; the first is the usual one. */
  readonly extensions: readonly [string, ...string[]];
  /** Name of the language server's program, which some contenders look for on `PATH`. */
  readonly program: string;
  /** Notification by which the raw language server says that it has loaded the project, if it does. */
  readonly readyMessage?: { readonly method: string; readonly pattern: RegExp };
  /** Relative path of a file, for a raw language server that loads the project when a first file is opened. */
  readonly firstFile?: string;
  /** What the compiler is run with, by the conventions of the language's oracle. */
  readonly configurations: readonly string[];
  /** What is compiled, where the compiler's default leaves something out. */
  readonly targets?: readonly string[];
  /** Requirements of pip: what its tests, or classes that it derives from others, need. */
  readonly libraries?: readonly string[];
  /** What shows whether a changed package does what it did. */
  readonly exercise?: Exercise;
  /** True if the product was first tried on it when its published results were measured. */
  readonly isNew?: boolean;
  /** Downloads the sources into an empty directory with the language's package manager. */
  fetch(directory: string): Promise<void>;
}

/** A package's own tests, or a small program that uses it. */
export interface Exercise {
  /** For the page: what is run. */
  readonly description: string;
  /** Absolute path of the program's source → its path in the package, where edits change it, too. */
  readonly program?: { readonly source: string; readonly path: string };
  /** Makes the program a part of the package, if it has to be listed. */
  include?(directory: string): void;
  /** Runs it and returns what it prints, without times and absolute paths. */
  run(pack: BenchPackage, directory: string): Promise<string[]>;
}

/** Judges the symbols of a package with a compiler; `directory` is the absolute path of its sources. */
export interface ReferencesOracle {
  /** One sentence for the page: what the truth is and what it is not. */
  readonly description: string;
  /** Lists all symbols that a question may be about, with the number of their references. */
  list(pack: BenchPackage, directory: string): Promise<ListedSymbol[]>;
  judge(pack: BenchPackage, directory: string, symbols: readonly ListedSymbol[]): Promise<Judged[]>;
}

/** What an overview of a file must name, and what else it may name: name paths. */
export const FileTruth = z.object({ file: z.string(), must: z.array(z.string()), may: z.array(z.string()) });
export type FileTruth = z.infer<typeof FileTruth>;

/** Lists what the files of a package define, with a parser of the language. */
export interface OverviewOracle {
  readonly description: string;
  files(pack: BenchPackage, directory: string): Promise<FileTruth[]>;
}

/** Lists what is abstract in a package, and all that implements it. */
export interface ImplementationsOracle {
  readonly description: string;
  judge(pack: BenchPackage, directory: string): Promise<Judged[]>;
}

/** One kind of error, and a way to put it into a real file. */
export interface Seed {
  /** For example `wrong argument count`; unique in its language. */
  readonly kind: string;
  /** True for an error after which parsers disagree about everything below it: only the first error counts. */
  readonly isSyntax?: boolean;
  /** True if other files than the changed one must have errors. */
  readonly isAcross?: boolean;
  /** Returns the text of a file with the error in it; `undefined` if the text has no place for it. */
  apply(text: string): string | undefined;
}

/** A file (path from the root of the package) with another content. */
export interface FileChange {
  readonly file: string;
  readonly text: string;
}

/** An error that a compiler reports; the line is 0-based. */
export const CompilerError = z.object({ file: z.string(), line: z.int(), message: z.string() });
export type CompilerError = z.infer<typeof CompilerError>;

/** The compiler of one language as a judge of changed files, and the errors that it can judge. */
export interface DiagnosticsOracle {
  /** One sentence for the page: what is compiled, and what cannot be judged. */
  readonly description: string;
  readonly seeds: readonly Seed[];
  /** Returns, for each change alone, the errors that the unchanged package does not have; `directory` stays as it was. */
  errors(pack: BenchPackage, directory: string, changes: readonly FileChange[]): Promise<CompilerError[][]>;
}

/** A question about a hand-written workspace whose answer is known. */
export interface Trap {
  /** For example `equal names in two packages`; unique in its language. */
  readonly name: string;
  readonly asks: 'references' | 'implementations' | 'diagnostics';
  /** Of a question about references or implementations. */
  readonly namePath?: string;
  /**
   * A word in comments: lines with `@mark` must be in the answer, lines with `?mark` may be, and the line with `!mark`
   * declares the symbol, or is in the file that is asked for errors.
   */
  readonly mark: string;
  /** Files (path → content) that are written after a first answer and before the one that counts. */
  readonly rewritten?: Readonly<Record<string, string>>;
  /** True if the language servers of the contender are killed while it answers. */
  readonly killsServer?: boolean;
}

/** A small workspace, written manually, with the questions about it. A question that kills servers comes last. */
export interface TrapWorkspace {
  /** Path → content. */
  readonly files: Readonly<Record<string, string>>;
  readonly traps: readonly Trap[];
}

/** One language: its packages, and the compilers and parsers that judge answers about them. */
export interface BenchLanguage {
  readonly packages: readonly BenchPackage[];
  /** Returns a package that a caller describes. */
  outside(described: OutsidePackage): BenchPackage;
  readonly references: ReferencesOracle;
  readonly overview: OverviewOracle;
  readonly edits: EditOracle;
  readonly implementations?: ImplementationsOracle;
  readonly diagnostics?: DiagnosticsOracle;
  readonly traps?: TrapWorkspace;
}

export interface ListedSymbol {
  readonly symbol: BenchSymbol;
  readonly uses: number;
}

/** A process with its command line. */
export interface StartedProcess {
  readonly pid: number;
  readonly command: string;
}

/** A contender, running on one package. */
export interface ContenderRun {
  /** Absolute path of the sources that it answers about: those of the package, or a copy. */
  readonly directory: string;
  references(symbol: BenchSymbol): Promise<Answer>;
  overview(file: string): Promise<Answer>;
  /** Absent if the contender has no such function. */
  implementations?(symbol: BenchSymbol): Promise<Answer>;
  /** Returns the lines with errors or warnings; absent if the contender has no such function. */
  diagnostics?(file: string): Promise<Answer>;
  /** Reports changed files to a contender that leaves this to its client; absent if it notices changes itself. */
  reportChanges?(files: readonly string[]): Promise<void>;
  /** Returns the processes that the contender has started, with the language servers among them. */
  processes?(): readonly StartedProcess[];
  /** Returns the peak memory of all its processes so far; `undefined` if it is not measured. */
  peakMegabytes?(): number | undefined;
  stop(): Promise<void>;
}

/**
 * One adapter: how a contender is started and queried, and how its answers are read. `version` or `start` rejects if the
 * contender cannot run here, and the page says why.
 */
export interface Contender {
  /** With the version, if it is another product. */
  readonly name: string;
  /** One or two sentences for the page: what is called, and what the reader should know about its answers. */
  readonly note?: string;
  /** The only language that it takes part in, if not all. */
  readonly language?: Language;
  /** Absolute path of the adapter: what a changed adapter received before is not used. */
  readonly adapter: string;
  /** Identifies the build; answers of other versions are not reused. */
  version(): Promise<string>;
  start(pack: BenchPackage, directory: string): Promise<ContenderRun>;
}
