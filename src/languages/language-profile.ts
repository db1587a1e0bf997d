import type { CallRules } from './call-rules.ts';
import type { OutlineRules, SymbolKindName } from './outline-rules.ts';
import type { SignatureRules } from './signature-rules.ts';

/** Description of a language, or of dialects with the same syntax: data that the other layers read. */
export interface LanguageProfile {
  /** LSP language ids. */
  readonly ids: readonly string[];
  /** True if the files are, or contain, code of TypeScript or JavaScript. */
  readonly isScript?: true;
  /** Extensions of the files that the grammar is for, in lower case, with the dot. */
  readonly extensions?: readonly string[];
  /** Path of the grammar in `node_modules`. */
  readonly grammar?: string;
  /** How to find the symbols in the grammar's trees. */
  readonly outline?: OutlineRules;
  /** How to read calls and parameters in the grammar's trees. */
  readonly calls?: CallRules;
  /** How to read and change parameters and arguments in the grammar's trees. */
  readonly signatures?: SignatureRules;
  /**
   * What code of a pattern may have to stand between to be code of a file, in the order of trial; absent if nothing, or a
   * semicolon.
   */
  readonly patternContexts?: readonly (readonly [before: string, after: string])[];
  /** True if the ranges of definitions are those of the language's server; `test/syntax/agreement.test.ts` has the figures. */
  readonly hasServerRanges?: true;
  /** Absent for markup and data. */
  readonly lexis?: Lexis;
  /** Without it, any name without whitespace is valid. */
  readonly names?: NameRules;
  /**
   * Match names of symbols that say more than the name, such as `hop(over:by:)`, as servers report them or syntax trees have
   * them; the group `name` is the name that a symbol is found by as well. The first that matches counts.
   */
  readonly nameForms?: readonly RegExp[];
  readonly attached?: AttachedSyntax;
  /**
   * In a language whose comments begin with the name of what they describe: matches the text behind a first word that is no
   * name but a word of the sentence.
   */
  readonly prose?: RegExp;
  readonly overriding?: OverridingSyntax;
  readonly implicitCalls?: readonly ImplicitCall[];
  /** Matches what stands on a line before a string that names a declaration, whatever the name: `#[serde(default = "`. */
  readonly namingStrings?: RegExp;
  /** Who may use a declaration besides the code of a project; absent where that is not known. */
  readonly exposure?: Exposure;
  /** How the language's own indexer names symbols; absent: no index of another program has to name them alike. */
  readonly scip?: ScipNames;
  /** Matches the paths of tests that only this language has. */
  readonly testFiles?: RegExp;
  /** A statement that does nothing, if a block without a statement is an error. */
  readonly emptyBlock?: string;
  readonly examples?: ExampleSyntax;
  /** The files at the root that configure a formatter which wraps lines; the first that does counts. */
  readonly formatters?: readonly FormatterFile[];
}

export type ParsedProfile = LanguageProfile & Required<Pick<LanguageProfile, 'extensions' | 'grammar' | 'outline'>>;

/**
 * Syntax of comments and strings in a language. Each part is the source of a regular expression.
 *
 * A mistake must never hide code: a quote that is not closed on its line does not begin a string, and text that no
 * pattern matches counts as code.
 */
export interface Lexis {
  /** Comments, and strings whose content is never code. */
  readonly inert: readonly string[];
  /** Strings that may contain code. */
  readonly templates?: readonly string[];
  /** The code inside a template, with its delimiters. */
  readonly holes?: RegExp;
  /** True if a variable assigned in a function is visible outside it unless it is declared local. */
  readonly leaksLocals?: boolean;
  /** True if `{ name }` may be a use of a member and a declaration of a variable at once, or the other way round. */
  readonly hasMemberPatterns?: boolean;
  /** True if Unicode escapes (`\u0041`) may stand for any character of the code, also for a quote. */
  readonly hasUnicodeEscapes?: boolean;
}

export interface ExampleSyntax {
  /** Matches the line before the code of an example; if `end` is absent, what precedes the code on its first line. */
  readonly begin: RegExp;
  /** Matches what precedes the code on each further line. */
  readonly line: RegExp;
  /** Matches the line behind the last one. */
  readonly end?: RegExp;
  /** Present if tools run the examples as tests: matches, as a search for lines does, what precedes code. */
  readonly run?: string;
}

export interface FormatterFile {
  readonly file: string;
  /** Matches its text if it is about the formatter. */
  readonly uses: RegExp;
  /** Its first group is the line length. */
  readonly width: RegExp;
  /** The line length without a setting. */
  readonly usual: number;
}

export interface NameRules {
  /** Name of the language for messages. */
  readonly language: string;
  readonly pattern: RegExp;
  /** Words that are no names, with whitespace between them. */
  readonly reserved: string;
}

/** Syntax that may precede a definition and belong to it, in one family of languages. */
export interface AttachedSyntax {
  /** Matches a line that is a comment. */
  readonly line?: RegExp;
  /** The delimiters of block comments. */
  readonly block?: readonly [begin: string, end: string];
  /** Matches the beginning of a decorator, an annotation or an attribute. */
  readonly annotation?: RegExp;
}

/** How a language marks a declaration that overrides a member of a supertype, or implements one of a trait. */
export interface OverridingSyntax {
  /** The word that marks the declaration. */
  readonly word?: string;
  /** Matches the text that must precede the word and belongs to the mark. */
  readonly before?: RegExp;
  /** True if the word follows the name and its parameters. */
  readonly isBehind?: true;
  /** Matches the names of parents whose members all implement something. */
  readonly parent?: RegExp;
  /** Matches the compiler's message that the marked declaration overrides nothing. */
  readonly absent: RegExp;
  /** The mark as it is written, if a declaration without it may override a member as well. */
  readonly optional?: string;
}

/** Members or functions that the language, its runtime or its standard library calls, and no code of a project names. */
export interface ImplicitCall {
  readonly name: RegExp;
  /** Matches the text behind the name, if members of the name with other parameters are not called. */
  readonly rest?: RegExp;
  /** What calls them, in plain words. */
  readonly caller: string;
  /** True for functions of a module in place of members of a type. */
  readonly isOfModule?: true;
}

/** What may use a declaration without naming it in the code of its project. */
export interface Exposure {
  /** What other projects see. All of the conditions have to hold. */
  readonly visible: {
    /** Matches the text from a declaration's annotations to its name. */
    readonly text?: RegExp;
    /** The same of a member; the types around it are looked at besides. */
    readonly memberText?: RegExp;
    readonly name?: RegExp;
    /** Matches the path of its file, relative to the project. */
    readonly file?: RegExp;
  };
  /** Matches the texts of files whose declarations no other project sees. */
  readonly hiddenBy?: RegExp;
  /** Files at the root of which a library has one. */
  readonly publishedBy?: readonly string[];
  /** Matches the texts of such files that are no library's. */
  readonly unpublished?: RegExp;
  /** Matches annotations by which a framework, a tool or the linker may find the declaration. */
  readonly registered: RegExp;
  /** Matches those of them that take the name of the declaration for what users of the program see. */
  readonly namedBy?: RegExp;
  /** Matches lines that are comments to the language, and annotations to its tools. */
  readonly directive?: RegExp;
  /** Matches the names of declarations that the language or the platform uses. */
  readonly entry?: RegExp;
  /** Members that other code may call on an object of any type. */
  readonly duckTyped?: readonly ImplicitCall[];
  /** Files whose top-level declarations something else uses by their names. */
  readonly readByName?: {
    readonly file: RegExp;
    /** Who uses them, as a clause. */
    readonly reader: string;
    /** Matches the text from a declaration's annotations to its name, if not all declarations are. */
    readonly text?: RegExp;
  };
  /** Type names that say nothing about who uses a type that is derived from them; others may list what is below them. */
  readonly harmlessBases?: RegExp;
  /** True if the initial value of a variable may do something besides; the texts are before and after its name. */
  mayHaveEffects?(before: string, after: string): boolean;
  /** Matches the names of members that make the platform use their type. */
  readonly entryMember?: RegExp;
}

/** How the usual indexer of a language names symbols in SCIP, so that its indexes and ours name them alike. */
export interface ScipNames {
  /** The language as SCIP calls it. */
  readonly language: string;
  /** The indexer: `scip-typescript`. */
  readonly scheme: string;
  /** The package manager: `npm`. */
  readonly manager: string;
  /** Name of the file that names a package; the nearest one above a source file counts. */
  readonly manifest: string;
  packageIn(manifest: string): { readonly name: string; readonly version: string };
  /** Returns the namespaces of a source file, outer ones first. `path` is relative to the directory of the manifest. */
  namespacesOf(path: string, packageName: string): readonly string[];
  /** Types that the server reports as another kind: `before` matches the text of the definition before the name. */
  readonly otherTypes?: { readonly kind: SymbolKindName; readonly before: RegExp };
  /** True if methods of interfaces are named as fields are. */
  readonly hasMethodTerms?: true;
  /** Names that the indexer gives to symbols in place of their own. */
  readonly renamed?: ReadonlyMap<string, string>;
}
