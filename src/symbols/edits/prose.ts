import { profileOf } from '../../languages/profiles.ts';
import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import type { ActiveServer } from '../../servers/assignment/source-files.ts';
import { languageIdOf } from '../../servers/spec.ts';
import { commentsIn } from '../../text/identifiers.ts';
import { lineText } from '../../text/lines.ts';
import { isOutside, type Place, placeKey } from '../../text/place.ts';
import { positionAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import { symbolsNamedAt } from '../model/at-position.ts';
import { readable, type SymbolScope } from '../model/scope.ts';
import { type Span, spanOf } from '../model/text-range.ts';

/** Code beside a name in a comment: `[Stop]`, `Store.Stop`, `` `Stop` ``, `{@link Stop}`, `@param Stop`. */
const codeBefore = /(?:[\p{L}\p{N}_)\]](?:[.#\\]|::|->)|[[`'"{<$#]|@\w+\s+(?:\{[^}]*\}\s*)?|@link\s+)[*&]?$/u;
/** `Stop()`, `Stop.now`, `` Stop` ``, `Stop]`. */
const codeAfter = /^(?:[(\]`'"}>]|(?:[.#\\]|::|->)[\p{L}_])/u;
/** More text says no more about the name behind it. */
const maxBefore = 200;
/** A name with other characters cannot be a word of a sentence. */
const plainWord = /^\p{L}\p{Ll}*$/u;

/** The edits of a rename in comments, without those that the server lists as references. */
interface CommentEdits {
  /** Places where the name is marked as code, or is the subject of the comment of a renamed declaration. */
  readonly named: readonly Place[];
  /** Places where it is a word like any other. */
  readonly prose: readonly Place[];
  /** Those of `prose` that may mean the declaration all the same: the first word of its comment. */
  readonly doubtful: readonly Place[];
}

/**
 * Returns the edits of a rename in comments: gopls renames each word of a doc comment that equals the name, in `// Stop the
 * timers first` as well.
 */
export async function commentEdits(
  scope: SymbolScope,
  steps: readonly WorkspaceStep[],
  { active, references }: { readonly active: ActiveServer; readonly references: readonly Place[] },
): Promise<CommentEdits> {
  const known = new Set(references.map(placeKey));
  const edited = steps.flatMap(({ file, ...step }) =>
    step.do === 'edit' && !isOutside({ file }) ? step.edits.map(({ range }) => ({ file, range })) : [],
  );
  const named: Place[] = [];
  const prose: Place[] = [];
  const doubtful: Place[] = [];
  for (const [file, places] of Map.groupBy(edited, (place) => place.file)) {
    const unlisted = places.filter((place) => !known.has(placeKey(place)));
    const lines = unlisted.length > 0 ? readable(scope, file) : undefined;
    if (lines === undefined) continue;
    const language = languageIdOf(active.spec, file) ?? '';
    const comments = commentsIn(lines.text, language);
    for (const place of unlisted) {
      const comment = commentOf(lines, place, comments);
      if (comment === undefined) continue;
      const isFirst = await isFirstWord(scope, { ...comment, language, lines, place, places });
      const isCode = isMarked(comment) || (isFirst && !isInSentence(comment, language));
      (isCode ? named : prose).push(place);
      if (isFirst && !isCode) doubtful.push(place);
    }
  }
  return { named, prose, doubtful };
}

interface NameInComment {
  readonly name: string;
  /** The comment before the name, from its first character. */
  readonly before: string;
  /** The line behind the name. */
  readonly after: string;
  /** Offset of the comment's end. */
  readonly end: number;
}

function commentOf(lines: TextLines, { range }: Place, comments: readonly Span[]): NameInComment | undefined {
  const span = spanOf(lines, range);
  const comment = span && comments.find(({ start, end }) => start <= span.start && span.start < end);
  if (span === undefined || comment === undefined) return undefined;
  const { text } = lines;
  const [after = ''] = text.slice(span.end, comment.end).split('\n', 1);
  const name = text.slice(span.start, span.end);
  return { name, before: text.slice(comment.start, span.start), after, end: comment.end };
}

function isMarked({ before, after }: NameInComment): boolean {
  return codeBefore.test(before.slice(-maxBefore)) || codeAfter.test(after);
}

/** True if the sentence that a name begins shows that it is no name there: `// Stop the timers first`. */
function isInSentence({ name, after }: NameInComment, language: string): boolean {
  return plainWord.test(name) && profileOf(language)?.prose?.test(after) === true;
}

/** True if a name is the first word of the comment above a renamed declaration, which by convention is its name. */
async function isFirstWord(
  scope: SymbolScope,
  of: NameInComment & { language: string; lines: TextLines; place: Place; places: readonly Place[] },
): Promise<boolean> {
  const { before, lines, place, places, language } = of;
  const { attached, prose } = profileOf(language) ?? {};
  if (attached?.line === undefined || prose === undefined || /[\p{L}\p{N}]/u.test(before)) return false;
  const { line } = place.range.start;
  const isComment = (at: number) => attached.line?.test((lineText(lines.text, lines.starts, at) ?? '').trim()) === true;
  const isLine = isComment(line);
  if (isLine && line > 0 && isComment(line - 1)) return false;
  let below = positionAt(lines.text, lines.starts, of.end).line + 1;
  while (isLine && isComment(below)) below++;
  const starts = places.filter(({ range }) => range.start.line === below).map(({ range }) => range.start);
  return starts.length > 0 && symbolsNamedAt(await scope.files.treeOf(place.file, scope.call), starts).length > 0;
}
