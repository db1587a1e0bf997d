import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { parseDependencyAddress, plainAddress } from '../../search/dependency-address.ts';
import { isCallable, kindName } from '../../symbols/model/kinds.ts';
import { nameInType, namePathOf } from '../../symbols/model/name-path.ts';
import type { HierarchyStep, Related, SymbolNode } from '../../symbols/model/symbol.ts';
import type { Neighborhood } from '../../symbols/queries/neighborhood.ts';
import { isTypeSymbol } from '../../symbols/queries/neighbors.ts';
import { flag } from '../parameters.ts';
import { defineTool, symbolQuery } from '../tool.ts';

/** Code and paths have about this many characters in a token. */
const charsPerToken = 3.5;

const maxNames = 20;

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
    const answer = (view: View) => fitSections(sectionsOf(symbol, parts, view), maxChars);
    return {
      value: answer({ first: 0, shown: (path) => path }),
      notes: around.derivations,
      forPeople: (shown) => answer({ first: 1, shown }).split('\n'),
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
  const listOf = (title: string, related: readonly Related[] | undefined, rest: string) =>
    list(title, related, { rest, view });
  const stepOf = (title: string, step: HierarchyStep | undefined, rest: string) =>
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
      title: around.info === undefined ? '' : 'info',
      lines: infoLines(around.info),
      rest: 'call `find_symbol` with `include_info`',
    },
    { title: 'body', lines: body.split('\n'), isWhole: true, rest: 'call `find_symbol` with `include_body`' },
    users,
    stepOf('callees', around.callees, ask('callees')),
    stepOf('supertypes', around.supertypes, ask('supertypes')),
    stepOf('subtypes', around.subtypes, ask('subtypes')),
    {
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
  return { ...section, title: `${section.title}; outside the project: ${shownNames(step.outside)}` };
}

function shownNames(names: readonly string[]): string {
  const more = names.length - maxNames;
  return `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function list(
  title: string,
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
  return { title: `${title}: ${size}`, lines, rest };
}

/** A part of an answer: a title and its lines, the most useful first. */
export interface Section {
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
  return present.flatMap((section) => rendered(section)).join('\n');
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function rendered({ title, lines, rest = '', shown }: Section & { readonly shown: number }): string[] {
  const missing = lines.slice(shown);
  const note = `… ${counted(missing.length, 'more line')}: ${rest}`;
  // The space for the note is reserved.
  return [title, ...lines.slice(0, shown), ...(sizeOf(missing) <= note.length + 1 ? missing : [note])];
}
