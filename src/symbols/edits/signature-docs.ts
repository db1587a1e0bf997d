import type { DeclarationSite } from '../../syntax/signatures.ts';
import type { Span } from '../model/text-range.ts';
import type { Render } from './nested-edits.ts';
import type { SignatureChange } from './signature-change.ts';
import type { Sited } from './signature-sites.ts';

/** The part of a documentation comment about one parameter: whole lines. */
interface Tag extends Span {
  readonly name: string;
  readonly nameAt: number;
}

/** What may be between a documentation comment and the declaration. */
const between = /(?:\b(?:export|default|declare|async|abstract|public|protected|private|static)\b\s*)*$/;

/** Plans that tags such as `@param` of the comment before a declaration follow its parameters. */
export function planDocs(
  { draft, site }: Sited<DeclarationSite>,
  { change, indices }: { change: SignatureChange; indices: ReadonlyMap<number, number> },
  add: (part: Span, make: (render: Render) => string) => void,
): void {
  const tags = tagsBefore(draft.text, site.around.start);
  const nameOf = (origin: number | undefined) => site.parameters[indices.get(origin ?? -1) ?? -1]?.name?.name;
  for (const { name, nameAt } of tags) {
    const newName = change.renamed.get(name);
    if (newName !== undefined) add({ start: nameAt, end: nameAt + name.length }, () => newName);
  }
  const gone = new Set(change.removed.map(nameOf));
  const order = change.entries.map(({ origin }) => nameOf(origin));
  const kept = tags.filter(({ name }) => !gone.has(name));
  const known = kept.filter(({ name }) => order.includes(name));
  if (new Set(known.map(({ name }) => name)).size < known.length) return;
  const sorted = known.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const isSame = kept.length === tags.length && sorted.every((tag, index) => tag === known[index]);
  const [first, last] = [tags[0], tags.at(-1)];
  if (isSame || first === undefined || last === undefined) return;
  add({ start: first.start, end: last.end }, (render) => {
    let result = '';
    let reached = first.start;
    for (const tag of tags) {
      result += draft.text.slice(reached, tag.start);
      const next = known.includes(tag) ? sorted[known.indexOf(tag)] : tag;
      if (!gone.has(tag.name) && next !== undefined) result += render(next);
      reached = tag.end;
    }
    return result;
  });
}

/** Returns the tags of parameters in the comment before an offset. */
function tagsBefore(text: string, offset: number): Tag[] {
  const before = text.slice(0, offset).trimEnd().replace(between, '').trimEnd();
  const start = before.endsWith('*/') ? before.lastIndexOf('/**') : -1;
  if (start === -1) return [];
  const comment = before.slice(start);
  const found: Tag[] = [];
  const pattern = /^[ \t]*\*[ \t]*@param[ \t]+(?:\{[^}\n]*\}[ \t]*)?\[?([\p{L}_$][\p{L}\p{N}_$]*)/gmu;
  for (const match of comment.matchAll(pattern)) {
    const [whole, name = ''] = match;
    const end = /^[ \t]*\*(?:\/|[ \t]*@)/m.exec(
      comment.slice(match.index + whole.length).replace(/^[^\n]*/, (line) => ' '.repeat(line.length)),
    );
    if (end === null) continue;
    const tagEnd = match.index + whole.length + end.index;
    found.push({
      start: start + match.index,
      end: start + tagEnd,
      name,
      nameAt: start + match.index + whole.length - name.length,
    });
  }
  return found;
}
