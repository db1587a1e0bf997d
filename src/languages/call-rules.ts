/** How calls, and definitions of functions, look in the syntax trees of one language: data for `src/syntax/calls.ts`. */
export interface CallRules {
  /** Types of nodes that are calls. */
  readonly calls: Readonly<Record<string, CallRule>>;
  /** Types of nodes that name a member, with the field of the name: the `clean` of `x.clean`. */
  readonly members: Readonly<Record<string, string>>;
  readonly arguments: ArgumentRules;
  /** Types of nodes that are functions: the fields that may hold their parameters. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
  /** Types of functions that cannot be called with `new`. */
  readonly notConstructible?: readonly string[];
  /** Types of nodes that define a name, or assign to it. */
  readonly definitions: Readonly<Record<string, DefinitionRule>>;
  /**
   * Types of nodes whose children are members, with the places where one more can be declared: before the first member, or
   * before each.
   */
  readonly memberLists?: Readonly<Record<string, 'first' | 'each'>>;
  /** Types of tokens of members that values of the type do not have. */
  readonly staticMarks?: readonly string[];
  /** Types of nodes that make a parameter of a constructor a member. */
  readonly propertyMarks?: readonly string[];
  /** Types of names that define a member by themselves, as in `{ clean }`, unless they are arguments of certain calls. */
  readonly memberNames?: Readonly<Record<string, RegExp | undefined>>;
  /** Types of nodes whose members are definitions in them, with the field of their own name. */
  readonly types: Readonly<Record<string, string>>;
  /** Types of tokens of a definition that is not called with the arguments of a call: `get` and `set`. */
  readonly accessors?: readonly string[];
  readonly decorators?: DecoratorRules;
  readonly parameters: Readonly<Record<string, ParameterRule>>;
  /** Types of nodes that hold parameters; another node in the field of a function is its only parameter. */
  readonly parameterLists: readonly string[];
  /** True if arguments beyond the last parameter are legal. */
  readonly ignoresSurplus?: true;
  /** True if keywords become an argument of their own for a function without keywords. */
  readonly bundlesKeywords?: true;
  /** True if the compiler rejects a member that overrides another one and does not take what calls of that one pass. */
  readonly checksOverrides?: true;
  /** True if any object with a member of the name may stand for the type of another one. */
  readonly isStructural?: true;
}

interface CallRule {
  readonly callee: string;
  readonly arguments: string;
  /** True for `new X()`. */
  readonly isConstruction?: true;
}

interface ArgumentRules {
  /** Types of nodes that hold arguments. */
  readonly lists: readonly string[];
  /** Types of nodes that are the only argument without a list. */
  readonly alone?: readonly string[];
  /** Types of nodes around each argument. */
  readonly wrappers?: readonly string[];
  /** Types of nodes that pass an argument by keyword: the field of the keyword. */
  readonly keywords?: Readonly<Record<string, string>>;
  /** Types of keywords; an argument with another one can be anything. */
  readonly keywordNames?: readonly string[];
  /** Types of nodes that pass a number of arguments that the text does not show. */
  readonly spreads: readonly string[];
  /** Types of nodes in a list that are no arguments. */
  readonly ignored: readonly string[];
}

interface DefinitionRule {
  /** Field of the name; `-1` is the last child. */
  readonly name: string;
  readonly value?: string;
  /** True if the name is that of a member also outside of a type. */
  readonly isMember?: true;
}

interface DecoratorRules {
  /** Type of the node around a definition and its decorators. */
  readonly wrapper?: string;
  /** Decorators that leave the parameters as they are; behind any other one, the parameters are unknown. */
  readonly harmless?: RegExp;
  /** Decorators of a method without a receiver among its parameters. */
  readonly unbound?: RegExp;
  /** Decorators of a method whose first parameter is its receiver however it is called. */
  readonly bound?: RegExp;
}

interface ParameterRule {
  /** `inner`: as the rule for the node in the field `name`, or for the first child. */
  readonly is:
    | 'required'
    | 'optional'
    | 'rest'
    | 'keyword'
    | 'keyword-rest'
    | 'any-rest'
    | 'inner'
    | 'none'
    | 'end-of-positional'
    | 'begin-of-keywords';
  /** Field of the name by which an argument can be passed as a keyword. */
  readonly name?: string;
  /** Field that makes the parameter optional. */
  readonly optionalWith?: string;
}
