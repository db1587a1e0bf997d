import type { BenchPackage, BenchSymbol } from '../model.ts';
import type { AnswerCost } from '../running/answer-cost.ts';
import type { Link } from './links.ts';
import type { NamedLines } from './named-lines.ts';

/** What a contender did when it was asked to change a package. */
export interface EditAnswer {
  /** `refused`: nothing was to be changed, and the label says why. */
  readonly outcome: 'done' | 'refused' | 'cannot';
  /** The contender's own words: its reason to refuse, or its notes about what may be left. */
  readonly label?: string | undefined;
  /** Where the answer says that the old name stayed, if it does. */
  readonly named?: NamedLines;
  /** What the answer costs its caller; nothing where no tool was called. */
  readonly cost?: AnswerCost;
}

/** One change of a signature, as `change_signature` takes it. */
export interface RequestedSignature {
  readonly add?: string;
  readonly value?: string;
  readonly before?: string;
  readonly remove?: string;
  readonly rename?: string;
  readonly to?: string;
  readonly order?: readonly string[];
  readonly keyword?: string;
  readonly positional?: string;
}

/** A declaration that a contender reports as unused, as used by tests only, or as one of which it cannot decide that. */
export interface UnusedClaim {
  readonly file: string;
  /** 0-based. */
  readonly line: number;
  readonly namePath: string;
  readonly kind: string;
  readonly use: 'unused' | 'tests' | 'undecided';
  readonly why?: string | undefined;
}

/** A contender, running on one copy of a package, which it may change. */
export interface EditRun {
  rename(symbol: BenchSymbol, newName: string): Promise<EditAnswer>;
  safeDelete(symbol: BenchSymbol): Promise<EditAnswer>;
  /** Present if the contender can change signatures. */
  changeSignature?(symbol: BenchSymbol, changes: readonly RequestedSignature[]): Promise<EditAnswer>;
  /** Lists the unused declarations of the package; present if the contender can. */
  findUnused?(): Promise<{ readonly claims: readonly UnusedClaim[]; readonly answer: EditAnswer }>;
  /** False if the contender does not see its own changes, so that it cannot rename back. */
  readonly canContinue: boolean;
  stop(): Promise<void>;
}

/** One adapter: how a contender is started and asked to change something. */
export interface EditContender {
  readonly name: string;
  /** One or two sentences for the page: what is called, and what the reader should know about it. */
  readonly note: string;
  /** False if it has to be started again after others changed files, as the benchmark does to restore them. */
  readonly seesForeignChanges: boolean;
  /** True if it can change signatures. */
  readonly changesSignatures?: boolean;
  /** True if it lists unused declarations. */
  readonly findsUnused?: boolean;
  /** Identifies the build; answers of other versions are not reused. */
  version(): Promise<string>;
  start(pack: BenchPackage, directory: string): Promise<EditRun>;
}

/** Truth about the deletion of one symbol. Lines are 0-based and inclusive. */
export interface Deletion {
  readonly symbol: BenchSymbol;
  readonly firstLine: number;
  readonly lastLine: number;
  /** The first error of the compiler without the declaration; empty if nothing needs it. */
  readonly problem: string;
  /** Why neither verdict would be right. */
  readonly doubt?: string | undefined;
}

/** The compiler of one language as a judge of changed packages. */
export interface EditOracle {
  /** Changes with the oracle or the judgement: stored verdicts of another version are not used. */
  readonly version: number;
  /** One sentence for the page: what is compiled, and what that cannot find. */
  readonly description: string;
  /** Returns the compiler's errors, one per entry, without line numbers, so that two runs can be compared. */
  problems(pack: BenchPackage, directory: string): Promise<string[]>;
  /** True for an error about an import that only a deleted declaration used. */
  isUnusedImport(problem: string): boolean;
  /**
   * Matches what a rename has to write to keep a program's meaning, such as `{ name: name }`, after the old name is
   * back: the name, which is the group, stood there once.
   */
  readonly repetition?: RegExp;
  deletions(pack: BenchPackage, directory: string, symbols: readonly BenchSymbol[]): Promise<Deletion[]>;
  /**
   * Returns what names lead to and members override. `about` is the only symbol whose uses are needed: oracles that
   * know all uses return them.
   */
  links(pack: BenchPackage, directory: string, about: BenchSymbol): Promise<Link[]>;
  /** True if `links` returns only the uses of the symbol that it is asked about. */
  readonly linksOneSymbol?: boolean;
  /** Lists members that the oracle of references leaves out. */
  members?(pack: BenchPackage, directory: string): Promise<BenchSymbol[]>;
}
