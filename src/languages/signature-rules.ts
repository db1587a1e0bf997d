import type { CallRules } from './call-rules.ts';

/**
 * How parameters, and the arguments of calls, look in the syntax trees of one language: data for
 * `src/syntax/signatures.ts`. A path is a list of fields with dots between them; a number counts named children, and
 * `*` follows the field before it as often as it exists.
 */
export interface SignatureRules {
  readonly calls: Pick<CallRules, 'calls' | 'members' | 'arguments'> & Partial<CallRules>;
  /** Types of nodes that give a function its type arguments, with the field of its name. */
  readonly instantiations?: Readonly<Record<string, string>>;
  /** Types of expressions that the grammar takes for what is called, as `1 + f` in `1 + f<T>(x)`. */
  readonly operators?: readonly string[];
  /** Types of nodes that declare a function: where its name is, and paths that may lead to its parameters. */
  readonly declarations: Readonly<Record<string, DeclaredFunction>>;
  /** True if declarations of one name in one scope are one function. */
  readonly joinsOverloads?: true;
  /** Types of nodes that hold parameters; another node at the end of such a path is the only parameter. */
  readonly lists: readonly string[];
  readonly parameters: Readonly<Record<string, DeclaredParameter>>;
  /** Types of comments. */
  readonly comments: readonly string[];
  /** Types of nodes in which a name only is passed on, such as imports. */
  readonly imports: readonly string[];
  /** Types of such nodes that count only if they are directly around the name. */
  readonly exports?: readonly string[];
  /** Type of the content of strings that servers list as references where they name what a module exports. */
  readonly exportingStrings?: string;
  /** Types of names by which a method is called with its receiver as the first argument, such as `Type::method`. */
  readonly typeQualified?: readonly string[];
  /**
   * Where the declaration has the receiver, if a method can be called with it as the first argument by the name of its
   * type: `Type.method(x)`.
   */
  readonly mayPassReceiver?: 'as parameter' | 'before name';
  /** Types of nodes with tokens that are not parsed, such as the arguments of a macro. */
  readonly tokens?: string;
  /** True if an argument can be passed by the name of its parameter. */
  readonly hasKeywords?: true;
  /** True if a function can be used where one with more parameters is expected. */
  readonly mayTakeFewer?: true;
  /** Matches names by which the code of a function reads its arguments without naming them. */
  readonly reflection?: RegExp;
  /** True if calls may leave out arguments that have no default. */
  readonly mayPassFewer?: true;
  /** True if either all parameters of a declaration have names, or none. */
  readonly namesAllOrNone?: true;
  /** True if a function and a variable may have the same name. */
  readonly hasSeparateFunctionNames?: true;
  /** True if only one of several declarations of a function may have the default of a parameter. */
  readonly defaultsOnce?: true;
  /** True if the server lists uses in the expansion of a macro at the macro's name. */
  readonly hasMacros?: true;
  /** How objects are constructed; absent if signatures of constructors cannot be changed. */
  readonly construction?: ConstructionRules;
  /** True if functions of one name and scope are told apart by their arguments. */
  readonly hasOverloads?: true;
  /** True if comments before declarations describe parameters by tags such as `@param`. */
  readonly hasParameterTags?: true;
  /** The argument that stands for one that is left out, if there is one. */
  readonly omitted?: string;
  /** Types of declarations that cannot have defaults; an optional parameter has the mark behind its name there. */
  readonly bodiless?: { readonly types: readonly string[]; readonly mark: string };
  /** Returns code with a function that has the parameters, and a call of it with the arguments. Its name is `f`. */
  readonly sample: (parts: { readonly parameters: string; readonly arguments: string }) => string;
  /** Matches arguments whose evaluation has no effect and that mean the same everywhere. */
  readonly constants: RegExp;
}

/** How constructors, and what calls them without their name, look. */
export interface ConstructionRules {
  /** Name of constructors; without it, that of the type. */
  readonly name?: string;
  /** True if other constructors call it by this name, as in `super().__init__()`. */
  readonly isCalledByName?: true;
  /** Name of members that make objects in their own way, so that the arguments of a construction go elsewhere. */
  readonly replacedBy?: string;
  /** Types of nodes that declare a type, with the field of its name. */
  readonly types: Readonly<Record<string, string>>;
  /** Types of nodes directly around the bases of a type. */
  readonly bases: readonly string[];
  /** Types of names, and of nodes around names, that do not construct anything, such as annotations. */
  readonly inert: readonly string[];
  /** Functions and operators that only ask about a type that they receive. */
  readonly questions?: readonly string[];
  /** Types of nodes beyond which nothing makes a name inert. */
  readonly ends: RegExp;
  /** Matches the keywords by which constructors of subtypes, or of the same type, call a constructor. */
  readonly delegations?: RegExp;
  /** Matches parameters that also declare a member. */
  readonly memberParameters?: RegExp;
  /** Matches constructions that do not name the type, such as `cls(`. */
  readonly unnamed?: RegExp;
}

interface DeclaredFunction {
  readonly name: string;
  readonly lists: readonly string[];
  /** Type of the node around the declaration that also has the body, if it is not the declaration itself. */
  readonly around?: string;
}

interface DeclaredParameter {
  /** `inner`: as the rule for the node at the path `name`. */
  readonly is:
    | 'required'
    | 'optional'
    | 'rest'
    | 'keyword-rest'
    | 'inner'
    | 'receiver'
    | 'end-of-positional'
    | 'begin-of-keywords';
  /** Path of the name; `.` is the node itself. */
  readonly name?: string;
  /** Field of each name, if one node may declare several parameters. */
  readonly names?: string;
  /** Field that makes the parameter optional: its default. */
  readonly default?: string;
}
