import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { parseDependencyAddress, plainAddress } from '../../search/dependency-address.ts';
import { isCallable, kindName } from '../../symbols/model/kinds.ts';
import { nameInType, namePathOf } from '../../symbols/model/name-path.ts';
import type { HierarchyStep, Related, SymbolNode } from '../../symbols/model/symbol.ts';
import type { Neighborhood } from '../../symbols/queries/neighborhood.ts';
import { isTypeSymbol } from '../../symbols/queries/neighbors.ts';
import { listed } from '../../symbols/queries/outside-members.ts';
import { memberData, memberSchema, placeData, placeShape, relatedData, relatedShape } from '../answers/symbol-data.ts';
import { flag } from '../parameters.ts';
import { defineTool, symbolQuery } from '../tool.ts';

/** Code and paths have about this many characters in a token. */
const charsPerToken = 3.5;

const maxNames = 20;

const exploreData = () => {
  const related = z.array(z.object(relatedShape())).optional();
  return z.object({
    symbol: z.object(placeShape()),
    info: z.array(z.string()).optional(),
    body: z.string().optional(),
    callers: related,
    users: related,
    callees: related,
    supertypes: related,
    subtypes: related,
    members: z.array(memberSchema()).optional(),
    tests: related,
    /** Numbers of entries, or of lines, that the limit leaves out. */
    omitted: z.record(z.string(), z.int()).optional(),
  });
};

export const exploreSymbol = defineTool({
  ...symbolQuery,
  name: 'explore_symbol',
  description: 'Explains a symbol in one call: documentation, body, members, callers, callees, types, tests.',
  input: () => ({
    name_path: z.string().describe('Name path.'),
    relative_path: z.string().default('').describe('Defining file.'),
    include_dependencies: flag('Also search libraries.'),
    max_tokens: z.int().min(200).default(2000).describe('Limit.'),
  }),
  data: exploreData,
  aliases: { name_path_pattern: 'name_path' },
  async run({ symbols, limits }, { name_path, relative_path, include_dependencies, max_tokens }) {
    const within = plainAddress(relative_path);
    const inLibraries = include_dependencies || parseDependencyAddress(within) !== undefined;
    const symbol = await (inLibraries
      ? symbols.uniqueInLibraries(name_path, within)
      : symbols.unique(name_path, within));
    const around = await symbols.neighborhood(symbol, limits.symbolInfoBudgetMs);
    const maxChars = Math.floor(max_tokens * charsPerToken);
    const parts = { around, body: symbols.body(symbol) };
    const answer = (view: View) => fitted(sectionsOf(symbol, parts, view), maxChars);
    const own = answer({ first: 0, shown: (path) => path });
    return {
      value: textOf(own),
      data: dataOf(symbol, own),
      notes: around.derivations,
      forPeople: (shown) => textOf(answer({ first: 1, shown })).split('\n'),
    };
  },
});

/** How an answer names lines and files. */
interface View {
  /** Number of a file's first line. */
  readonly first: 0 | 1;
  shown(path: string): string;
}

/** Returns the parts of the answer, the most useful ones first. */
function sectionsOf(
  symbol: SymbolNode,
  { around, body }: { around: Neighborhood; body: string },
  view: View,
): Section[] {
  const { file, range, children } = symbol;
  const path = namePathOf(symbol);
  const { first, shown } = view;
  const lines = `${range.start.line + first}-${range.end.line + first}`;
  const head = `${kindName(symbol.kind)} ${path} in ${shown(file)}:${lines}`;
  const isLibrary = parseDependencyAddress(file) !== undefined;
  const ask = (kind: string) =>
    isLibrary ? 'call `search_for_pattern` with the name' : `call \`symbol_hierarchy\` with kind "${kind}"`;
  const listOf = (title: Key, related: readonly Related[] | undefined, rest: string) =>
    list(title, related, { rest, view });
  const stepOf = (title: Key, step: HierarchyStep | undefined, rest: string) =>
    withOutside(listOf(title, step?.related, rest), step);
  const users = isCallable(symbol)
    ? listOf('callers', around.users, ask('callers'))
    : listOf('users', around.users, 'call `find_referencing_symbols`');
  const members = children.map(
    (child) => `${kindName(child.kind)} ${nameInType(child)} ${child.range.start.line + first}`,
  );
  return [
    { title: head, lines: [] },
    {
      key: 'info',
      title: around.info === undefined ? '' : 'info',
      lines: infoLines(around.info),
      rest: 'call `find_symbol` with `include_info`',
    },
    {
      key: 'body',
      title: 'body',
      lines: body.split('\n'),
      isWhole: true,
      rest: 'call `find_symbol` with `include_body`',
    },
    users,
    stepOf('callees', around.callees, ask('callees')),
    stepOf('supertypes', around.supertypes, ask('supertypes')),
    stepOf('subtypes', around.subtypes, ask('subtypes')),
    {
      key: 'members',
      entries: children.map((child) => memberData(child, { levels: 0, name: nameInType, membersOf: () => [] })),
      title: isTypeSymbol(symbol) ? counted(members.length, 'member') : '',
      lines: members,
      rest: 'call `get_symbols_overview` with `depth`',
    },
    listOf('tests', around.tests, 'call `symbol_hierarchy` with kind "callers" and `depth` 3'),
  ];
}

/** Returns the lines of a hover text except fences, rules and empty lines. */
function infoLines(info = ''): string[] {
  return info.split('\n').filter((line) => !/^\s*(?:```.*|---)?$/.test(line));
}

function withOutside(section: Section, step: HierarchyStep | undefined): Section {
  if (step === undefined || step.outside.length === 0) return section;
  return { ...section, title: `${section.title}; outside the project: ${listed(step.outside, maxNames)}` };
}

function list(
  title: Key,
  related: readonly Related[] | undefined,
  { rest, view: { first, shown } }: { rest: string; view: View },
): Section {
  if (related === undefined) return { title: '', lines: [] };
  const files = new Set(related.map(({ symbol }) => symbol.file)).size;
  const size = related.length === 0 ? 'none' : `${related.length} in ${counted(files, 'file')}`;
  const lines = related.map(({ symbol, lines: at }) => {
    const numbers = at.map((line) => line + first).join(',');
    // Editors open an address with one line.
    return first === 0
      ? `${symbol.file} ${namePathOf(symbol)} ${numbers}`
      : `${shown(symbol.file)}:${numbers}: ${namePathOf(symbol)}`;
  });
  return { key: title, title: `${title}: ${size}`, lines, rest, entries: related.map(relatedData) };
}

type Key = Exclude<keyof z.infer<ReturnType<typeof exploreData>>, 'symbol' | 'omitted'>;

/** A part of an answer: a title and its lines, the most useful first. */
export interface Section {
  /** The name of the section in the data of the answer. */
  readonly key?: Key;
  /** What the lines say, in the data of the answer; absent if they are data themselves. */
  readonly entries?: readonly object[];
  /** Empty for a section without a title; omitted if it has no lines either. */
  readonly title: string;
  readonly lines: readonly string[];
  /** True if only all of the lines are useful. */
  readonly isWhole?: boolean;
  /** How to get the lines that are left out. */
  readonly rest?: string;
}

/** Lines that each section shows before an earlier section shows more. */
const sharedLines = 5;
/** Part of the answer that one whole section may take. */
const wholeShare = 0.5;

/**
 * Returns sections as one text of at most `maxChars` characters, titles always: at first a few lines of each section, in
 * their order, then the others while they fit. Omitted lines are counted, with how to get them.
 */
export function fitSections(sections: readonly Section[], maxChars: number): string {
  return textOf(fitted(sections, maxChars));
}

/** A section with the number of its lines that the answer shows. */
interface ShownSection extends Section {
  readonly shown: number;
}

function fitted(sections: readonly Section[], maxChars: number): ShownSection[] {
  const present = sections.filter(({ title }) => title !== '').map((section) => ({ ...section, shown: 0 }));
  let left = maxChars;
  for (const { title, rest = '', lines } of present)
    left -= title.length + 1 + (lines.length > 0 ? rest.length + 20 : 0);
  for (const share of [sharedLines, Number.POSITIVE_INFINITY]) {
    for (const section of present) {
      const wanted = section.isWhole ? section.lines.length : Math.min(share, section.lines.length);
      const added = section.lines.slice(section.shown, wanted);
      if (section.isWhole && sizeOf(added) > Math.min(left, maxChars * wholeShare)) continue;
      for (const line of added) {
        if (line.length + 1 > left) break;
        left -= line.length + 1;
        section.shown++;
      }
    }
  }
  // The space for the note is reserved.
  return present.map((section) => (isMissingShort(section) ? { ...section, shown: section.lines.length } : section));
}

function textOf(sections: readonly ShownSection[]): string {
  return sections.flatMap((section) => rendered(section)).join('\n');
}

/** Returns the data of an answer, with what its text shows. */
function dataOf(symbol: SymbolNode, sections: readonly ShownSection[]): object {
  const data: Record<string, unknown> = { symbol: placeData(symbol) };
  const omitted: Record<string, number> = {};
  for (const { key, lines, entries = lines, isWhole, shown } of sections) {
    if (key === undefined) continue;
    if (shown < lines.length) omitted[key] = lines.length - shown;
    if (isWhole !== true) data[key] = entries.slice(0, shown);
    else if (shown === lines.length) data[key] = lines.join('\n');
  }
  return { ...data, ...(Object.keys(omitted).length === 0 ? {} : { omitted }) };
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function rendered(section: ShownSection): string[] {
  const { title, lines, shown } = section;
  return [title, ...lines.slice(0, shown), ...(shown === lines.length ? [] : [noteOf(section)])];
}

function noteOf({ lines, rest = '', shown }: ShownSection): string {
  return `… ${counted(lines.length - shown, 'more line')}: ${rest}`;
}

/** True if the lines that are left out need no more space than the note about them. */
function isMissingShort(section: ShownSection): boolean {
  return sizeOf(section.lines.slice(section.shown)) <= noteOf(section).length + 1;
}
