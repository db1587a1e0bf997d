import { z } from 'zod';
import { Position } from '../model.ts';

/**
 * A name in a package and what a compiler says it leads to: for a use, the declarations; for the declaration of a
 * member, those of the members that it overrides or implements.
 */
export const Link = z.object({
  kind: z.enum(['use', 'override']),
  at: Position,
  name: z.string(),
  /** Places in the package, or qualified names of what is declared elsewhere. */
  to: z.array(z.union([Position, z.string()])),
});
export type Link = z.infer<typeof Link>;

/** What an edit did to the lines and columns of a package: undefined for what the edit removed or added. */
export type Mapping = (at: Position) => Position | undefined;

/** Two states of a package, and how positions in each become comparable. */
export interface LinkComparison {
  readonly before: readonly Link[];
  readonly after: readonly Link[];
  readonly mapBefore: Mapping;
  readonly mapAfter: Mapping;
  /** Makes names of the changed package comparable. */
  readonly mapName: (name: string) => string;
}

/** Kind and place → everything that the names there lead to, and one of the names. */
type Index = ReadonlyMap<string, { readonly link: Link; readonly targets: Set<string> }>;

/** Returns a sentence for each name that leads elsewhere in one state than in the other. */
export function changedLinks({ before, after, mapBefore, mapAfter, mapName }: LinkComparison): string[] {
  const first = indexOf(before, mapBefore, (name) => name);
  const second = indexOf(after, mapAfter, mapName);
  return [...new Set([...first.keys(), ...second.keys()])].sort().flatMap((key) => {
    const [was, is] = [first.get(key), second.get(key)];
    const known = was ?? is;
    if (known === undefined) return [];
    const lost = [...(was?.targets ?? [])].filter((target) => is?.targets.has(target) !== true);
    const added = [...(is?.targets ?? [])].filter((target) => was?.targets.has(target) !== true);
    // What narrows a union of types may lead a name to more of its members than before.
    const isWider = known.link.kind === 'use' && was !== undefined && lost.length === 0;
    return isWider || lost.length + added.length === 0 ? [] : [sentence(known.link, lost, added)];
  });
}

function sentence({ kind, at, name }: Link, lost: readonly string[], added: readonly string[]): string {
  const place = `${at.file}:${at.line + 1}: \`${name}\``;
  const verb = kind === 'use' ? ['no longer leads to', 'now leads to'] : ['no longer overrides', 'now overrides'];
  const parts = [
    ...(lost.length > 0 ? [`${verb[0]} ${lost.join(', ')}`] : []),
    ...(added.length > 0 ? [`${verb[1]} ${added.join(', ')}`] : []),
  ];
  return `${place} ${parts.join(' and ')}`;
}

function indexOf(links: readonly Link[], map: Mapping, mapName: (name: string) => string): Index {
  const found = new Map<string, { link: Link; targets: Set<string> }>();
  for (const link of links) {
    const at = map(link.at);
    if (at === undefined) continue;
    const own = placeName(at);
    const targets = link.to.flatMap((target) => {
      const mapped = typeof target === 'string' ? mapName(target) : map(target);
      if (mapped === undefined) return [];
      return [typeof mapped === 'string' ? mapped : placeName(mapped)];
    });
    // A declaration leads to itself, which says nothing.
    const others = targets.filter((target) => target !== own);
    if (others.length === 0) continue;
    const key = `${link.kind} ${own}`;
    const known = found.get(key) ?? { link: { ...link, at, name: mapName(link.name) }, targets: new Set<string>() };
    for (const target of others) known.targets.add(target);
    found.set(key, known);
  }
  return found;
}

function placeName({ file, line, column }: Position): string {
  return `${file}:${line + 1}:${column + 1}`;
}

/** Texts by path; one character per byte. */
type Texts = ReadonlyMap<string, string>;

/** A rename that changed nothing but the name, and what it may have to add: `{ name }` → `{ name: newName }`. */
export interface Renamed {
  readonly texts: Texts;
  readonly name: string;
  readonly newName: string;
  /** Matches a name and its repetition, with the name as its group. */
  readonly repetition: RegExp | undefined;
}

/** Returns how positions in a package before or after a rename become those of one text. */
export function renameMapping({ texts, name, newName, repetition }: Renamed): Mapping {
  const lines = linesOf(texts);
  return ({ file, line, column }) => {
    const text = lines(file)[line] ?? '';
    let mapped = column - occurrences(text.slice(0, column), newName) * (newName.length - name.length);
    if (repetition !== undefined) mapped = collapsed(text.replaceAll(newName, name), mapped, repetition);
    return { file: file.replaceAll(newName, name), line, column: mapped };
  };
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Returns a column in a line in which a name is written once where it stood twice. */
function collapsed(text: string, column: number, repetition: RegExp): number {
  let shift = 0;
  for (const match of text.matchAll(repetition)) {
    const length = match[1]?.length ?? 0;
    const end = match.index + match[0].length;
    if (column >= end) shift += match[0].length - length;
    else if (column >= match.index + length) return match.index - shift;
  }
  return column - shift;
}

function linesOf(texts: Texts): (file: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (file) => {
    const lines =
      known.get(file) ??
      Buffer.from(texts.get(file) ?? '', 'latin1')
        .toString('utf8')
        .split('\n');
    known.set(file, lines);
    return lines;
  };
}

/** A deletion of lines, and perhaps of blank lines, comments and imports elsewhere in the file. */
export interface DeletedLines {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Lines of the declaration, 0-based and inclusive. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Returns how positions before and after a deletion become those before it. */
export function deletionMappings(deleted: DeletedLines): { mapBefore: Mapping; mapAfter: Mapping } {
  const { file, firstLine, lastLine } = deleted;
  const lines = keptLines(deleted);
  const kept = new Set(lines);
  return {
    mapBefore: (at) =>
      at.file === file && at.line >= firstLine && at.line <= lastLine && !kept.has(at.line) ? undefined : at,
    mapAfter: (at) => {
      if (at.file !== file) return at;
      const line = lines[at.line];
      return line === undefined ? undefined : { ...at, line };
    },
  };
}

/** Returns, for each line after a deletion, the line before it; undefined for a line that was written. */
function keptLines({ before, after, firstLine, lastLine }: DeletedLines): (number | undefined)[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let line = 0;
  return now.map((text) => {
    let next = line;
    while (next < old.length && (old[next] !== text || (next >= firstLine && next <= lastLine))) next++;
    if (next === old.length) return undefined;
    line = next + 1;
    return next;
  });
}
