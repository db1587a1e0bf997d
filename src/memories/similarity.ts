/**
 * Minimum for basenames in different topics of which neither contains the other; below it they are not similar at all.
 */
const minSharedWords = 0.34;
const minSharedText = 0.75;
/** Names of at most this length are too short to be similar. */
const maxShortName = 3;

/**
 * Returns the similarity of two names of memories, to find the memory that a stale reference may mean: 1 = equal except
 * for case and a suffix such as `_old`, 0 = not similar at all. See docs/compatibility.md, Checking memory references.
 */
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
  const contains = long.includes(short);
  const ratio = textRatio(one.base, other.base);
  const differ = hasTopics && one.topic !== other.topic;
  if (differ && shared < minSharedWords && !contains && ratio < minSharedText) return 0;
  if (short.length <= maxShortName && shared < 1) return 0;
  return Math.max(shared, ratio, contains ? 0.5 + (0.5 * short.length) / long.length : 0);
}

/** Returns the number of words in both names divided by the number of words in either. */
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

/** Returns twice the length of the common blocks in the same order, divided by the total length: 1 = equal. */
function textRatio(a: string, b: string): number {
  return a.length + b.length === 0 ? 1 : (2 * matchingChars(a, b)) / (a.length + b.length);
}

/** Returns the length of the longest common block plus, recursively, of those to its left and right. */
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
