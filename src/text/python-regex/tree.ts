/** Syntax tree of a Python regular expression. All flags except IGNORECASE are resolved into the nodes. */
export type RegexNode =
  | { readonly type: 'character'; readonly code: number }
  | { readonly type: 'any'; readonly matchesNewline: boolean }
  | { readonly type: 'class'; readonly isNegated: boolean; readonly members: readonly ClassMember[] }
  | { readonly type: 'assertion'; readonly kind: AssertionKind; readonly asciiOnly: boolean }
  | { readonly type: 'group'; readonly number: number; readonly body: RegexNode }
  | { readonly type: 'scoped'; readonly ignoresCase: boolean; readonly body: RegexNode }
  | { readonly type: 'look'; readonly isBehind: boolean; readonly isNegated: boolean; readonly body: RegexNode }
  | { readonly type: 'atomic'; readonly body: RegexNode }
  | { readonly type: 'reference'; readonly number: number; readonly at: number }
  | RepeatNode
  | { readonly type: 'sequence'; readonly items: readonly RegexNode[] }
  | { readonly type: 'choice'; readonly options: readonly RegexNode[] };

export interface RepeatNode {
  readonly type: 'repeat';
  readonly min: number;
  readonly max: number;
  readonly manner: 'greedy' | 'lazy' | 'possessive';
  readonly body: RegexNode;
}

export type AssertionKind =
  | 'text-start'
  | 'text-end'
  | 'line-start'
  | 'line-end'
  | 'text-end-or-final-newline'
  | 'word-edge'
  | 'not-word-edge';

export type ClassMember =
  | { readonly type: 'range'; readonly low: number; readonly high: number }
  | { readonly type: 'category'; readonly kind: CategoryKind; readonly asciiOnly: boolean };

/** `\d`, `\s`, `\w` and their complements. */
export type CategoryKind = 'd' | 'D' | 's' | 'S' | 'w' | 'W';

/** A parsed pattern with its groups. */
export interface ParsedRegex {
  readonly tree: RegexNode;
  /** True if case is ignored, except in scoped nodes that override it. */
  readonly ignoresCase: boolean;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
}
