/**
 * How alike two names of memories are (`spec/system.md` §8.5): for telling which memory a reference that leads nowhere may
 * have meant.
 */

/** Two basenames of which none holds the other, in different topics, have to share this much to be alike at all. */
const leastSharedWords = 0.34;
const leastSharedText = 0.75;
/** Names as short as this say too little to be alike. */
const shortName = 3;

/** Returns how alike two names are: 1 = the same but for case and a suffix such as `_old`, 0 = not at all. */
export function similarity(a: string, b: string): number {
  const [first, second] = [normalized(a), normalized(b)];
  if (first === second) return 1;
  const [one, other] = [partsOf(first), partsOf(second)];
  const hasTopics = one.topic !== '' && other.topic !== '';
  if (one.base === other.base) {
    return hasTopics ? 0.5 + 0.5 * jaccard(wordsOf(one.topic), wordsOf(other.topic)) : 1;
  }
  const shared = jaccard(wordsOf(partsOf(a).base), wordsOf(partsOf(b).base));
  const [short = '', long = ''] = [one.base, other.base].sort((x, y) => x.length - y.length);
  const holds = long.includes(short);
  const alike = textRatio(one.base, other.base);
  const differ = hasTopics && one.topic !== other.topic;
  if (differ && shared < leastSharedWords && !holds && alike < leastSharedText) return 0;
  if (short.length <= shortName && shared < 1) return 0;
  return Math.max(shared, alike, holds ? 0.5 + (0.5 * short.length) / long.length : 0);
}

/** Returns the share of the words of two names that are in both. */
export function sharedWords(a: string, b: string): number {
  return jaccard(wordsOf(a), wordsOf(b));
}

function normalized(name: string): string {
  return name.toLowerCase().replace(/(_v\d+|_old|_new|_legacy|_bak)$/, '');
}

function partsOf(name: string): { topic: string; base: string } {
  const cut = name.lastIndexOf('/');
  return { topic: name.slice(0, Math.max(cut, 0)), base: name.slice(cut + 1) };
}

/** `auth/loginFlow_v2` → `auth`, `login`, `flow`, `v2`. */
function wordsOf(name: string): ReadonlySet<string> {
  const words = name.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, ' ').split(/[\s/_-]+/);
  return new Set(words.filter((word) => word !== '').map((word) => word.toLowerCase()));
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const all = a.union(b).size;
  return all === 0 ? 0 : a.intersection(b).size / all;
}

/** Twice the text in blocks that both have in the same order, in relation to all of it: 1 = equal. */
function textRatio(a: string, b: string): number {
  return a.length + b.length === 0 ? 1 : (2 * matchingChars(a, b)) / (a.length + b.length);
}

/** The longest common block, then the same to its left and to its right. */
function matchingChars(a: string, b: string): number {
  const { start, other, length } = longestBlock(a, b);
  if (length === 0) return 0;
  const before = matchingChars(a.slice(0, start), b.slice(0, other));
  return before + length + matchingChars(a.slice(start + length), b.slice(other + length));
}

function longestBlock(a: string, b: string): { start: number; other: number; length: number } {
  let best = { start: 0, other: 0, length: 0 };
  for (let start = 0; start < a.length - best.length; start++) {
    for (let other = 0; other < b.length - best.length; other++) {
      let length = 0;
      while (start + length < a.length && other + length < b.length && a[start + length] === b[other + length])
        length++;
      if (length > best.length) best = { start, other, length };
    }
  }
  return best;
}
