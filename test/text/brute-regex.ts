/**
 * A regular expression as a tree, executed by trying all possibilities in order: slow, but simple enough to be
 * obviously correct. Groups are numbered by `number`; the bodies of repeats match at least one character.
 */
export type Brute =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'line-start' }
  | { readonly kind: 'sequence'; readonly items: readonly Brute[] }
  | { readonly kind: 'choice'; readonly options: readonly Brute[] }
  | { readonly kind: 'group'; readonly number: number; readonly body: Brute }
  | {
      readonly kind: 'repeat';
      readonly body: Brute;
      readonly min: 0 | 1;
      readonly max: number;
      readonly isLazy: boolean;
    };

/** A match; `groups[0]` is the whole match, and a group that did not take part is `undefined`. */
export interface BruteMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

/** Returns the tree as a pattern in the syntax of Python `re`. */
export function patternOf(node: Brute): string {
  switch (node.kind) {
    case 'text':
      return node.text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\n', '\\n');
    case 'any':
      return '.';
    case 'line-start':
      return '^';
    case 'sequence':
      return node.items.map(patternOf).join('');
    case 'choice':
      return `(?:${node.options.map(patternOf).join('|')})`;
    case 'group':
      return `(${patternOf(node.body)})`;
    case 'repeat': {
      const count = node.max === 1 ? '?' : node.min === 0 ? '*' : '+';
      return `(?:${patternOf(node.body)})${count}${node.isLazy ? '?' : ''}`;
    }
  }
}

type Captures = ReadonlyMap<number, string>;
type Next = (at: number, captures: Captures) => { end: number; captures: Captures } | undefined;

/** The rest of the pattern to match, and the offset to match it from. */
interface Place {
  readonly text: string;
  readonly at: number;
  readonly captures: Captures;
}

function run(node: Brute, place: Place, next: Next): ReturnType<Next> {
  const { text, at, captures } = place;
  switch (node.kind) {
    case 'text':
      return text.startsWith(node.text, at) ? next(at + node.text.length, captures) : undefined;
    case 'any':
      return at < text.length ? next(at + 1, captures) : undefined;
    case 'line-start':
      return at === 0 || text[at - 1] === '\n' ? next(at, captures) : undefined;
    case 'sequence': {
      const [first, ...others] = node.items;
      return first === undefined
        ? next(at, captures)
        : runBoth([first, { kind: 'sequence', items: others }], place, next);
    }
    case 'choice':
      return firstFound(node.options.map((option) => () => run(option, place, next)));
    case 'group':
      return run(node.body, place, (end, inner) => next(end, new Map([...inner, [node.number, text.slice(at, end)]])));
    case 'repeat': {
      const rest: Brute = { ...node, min: 0, max: node.max - 1 };
      const more = () => (node.max === 0 ? undefined : runBoth([node.body, rest], place, next));
      const stop = () => (node.min === 0 ? next(at, captures) : undefined);
      return firstFound(node.isLazy ? [stop, more] : [more, stop]);
    }
  }
}

function runBoth([first, second]: readonly [Brute, Brute], place: Place, next: Next): ReturnType<Next> {
  return run(first, place, (end, captures) => run(second, { ...place, at: end, captures }, next));
}

function firstFound(attempts: readonly (() => ReturnType<Next>)[]): ReturnType<Next> {
  for (const attempt of attempts) {
    const found = attempt();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns all matches from left to right without overlaps, empty ones also directly after another match. */
export function bruteMatches(node: Brute, text: string, groupCount: number): BruteMatch[] {
  const matches: BruteMatch[] = [];
  for (let at = 0; at <= text.length; ) {
    const found = run(node, { text, at, captures: new Map() }, (end, captures) => ({ end, captures }));
    if (found === undefined) {
      at++;
      continue;
    }
    const inner = Array.from({ length: groupCount }, (_, index) => found.captures.get(index + 1));
    matches.push({ start: at, end: found.end, groups: [text.slice(at, found.end), ...inner] });
    at = found.end > at ? found.end : at + 1;
  }
  return matches;
}
