import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import { ExpectedError } from '../../base/errors.ts';
import type { HierarchyNode, IdeSymbol } from '../../jetbrains/answers.ts';
import type { Ide } from '../../jetbrains/ide.ts';
import type { Project } from '../../project/project.ts';
import { isIdeAddress } from '../../search/dependency-address.ts';
import { type ProjectDirectory, resolveInProject } from '../../search/project-path.ts';
import { readSource } from '../../search/source-text.ts';
import { renderMatch } from '../../text/display.ts';
import { normalizeNewlines } from '../../text/lines.ts';
import { positionAt } from '../../text/position.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import { countBy, groupedBy, labelled, overflowAnswer } from '../answers/answer-text.ts';
import { groupSymbols, type SymbolEntry } from '../answers/symbol-entries.ts';
import { withoutEntities } from '../arguments.ts';
import {
  capturedName,
  capturedOffset,
  flag,
  maxMatches,
  optionalText,
  overviewDepth,
  pageParts,
  requireUsableLimit,
} from '../parameters.ts';
import { defineTool, type Output, type ProjectContext } from '../tool.ts';
import { idePath, ideTool, namePath, sourcePath } from './arguments.ts';

const jetBrainsFindSymbol = defineTool({
  ...ideTool,
  name: 'jet_brains_find_symbol',
  description: `Finds symbols by name path through the user's JetBrains IDE, optionally in libraries: \`method\`
matches at any level, \`Class/method\` inside such a class, \`/Class\` at the top level; \`*\` matches any part of one
name. Returns JSON by file and type.`,
  input: () => ({
    name_path_pattern: z.string().describe('Name path to match.'),
    depth: z.int().default(0).describe('Levels of members to include.'),
    relative_path: optionalText('File or directory to search, or `<ext:…>` for a library file; null = whole project.'),
    include_body: flag('Include source code.'),
    include_info: flag('Include documentation instead of the signature; ignored with include_body.'),
    search_deps: flag('Search the libraries of the project as well.'),
    max_matches: maxMatches,
    ...pageParts,
  }),
  aliases: { name_path: 'name_path_pattern' },
  async run(context, input) {
    requireUsableLimit(input.max_matches);
    const pattern = withoutEntities(input.name_path_pattern);
    const path = scopeOf(context.project, input.relative_path);
    if (/^[*/]*$/.test(pattern)) return await overviewInstead(context, { path, depth: input.depth });
    const symbols = await context.ide.findSymbols({
      namePath: pattern,
      relativePath: path,
      depth: input.depth,
      includeBody: input.include_body,
      includeQuickInfo: !input.include_body && !input.include_info,
      includeDocumentation: !input.include_body && input.include_info,
      searchDeps: input.search_deps || (path !== null && isIdeAddress(path)),
    });
    const brief = () => labelled('Name paths by file and type', groupedByFile(briefEntries(symbols)));
    const overflow = overflowAnswer(symbols.length, input.max_matches, brief);
    return { value: overflow ?? groupedByFile(symbols.map(entryOf)), shorter: overflow === undefined ? [brief] : [] };
  },
});

/** Returns the scope in the form that the IDE expects; null for the whole project. */
function scopeOf(project: ProjectDirectory, sent: string | null): string | null {
  const path = idePath(project, sent ?? '');
  return path === '.' ? null : path;
}

/** Returns the overview of a file for a pattern that matches everything; rejects such a pattern for a whole project. */
async function overviewInstead(
  { project, ide }: ProjectContext,
  { path, depth }: { path: string | null; depth: number },
): Promise<Output> {
  if (path === null || !isFile(join(project.root, path))) {
    throw new ExpectedError('tool.invalid-input', 'the pattern matches every name', {
      hints: ['pass at least part of a name', 'pass a file as `relative_path` to list all of its symbols'],
    });
  }
  const overview = await overviewOf(ide, { path, depth: depth === 0 ? -1 : depth, withDocumentation: false });
  const message = 'The pattern matches every name; showing the overview of the file instead.';
  return { ...overview, value: { message, response: overview.value } };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

const jetBrainsGetSymbolsOverview = defineTool({
  ...ideTool,
  name: 'jet_brains_get_symbols_overview',
  description: `Lists the top-level symbols of a source file by type, with members down to a depth, through the user's
JetBrains IDE. Call it first on an unfamiliar file. Returns a JSON object with "symbols" and optionally the
"docstring" of the file.`,
  input: () => ({
    relative_path: sourcePath,
    depth: z.int().default(-1).describe('Levels of members; -1 = 1 for Java and Kotlin, otherwise 0.'),
    ...pageParts,
    include_file_documentation: flag('Include the documentation of the file itself.'),
  }),
  run({ project, ide }, input) {
    const path = idePath(project, input.relative_path);
    return overviewOf(ide, { path, depth: input.depth, withDocumentation: input.include_file_documentation });
  },
});

/** Returns the symbols of a file by type and, if requested, the documentation of the file. */
async function overviewOf(
  ide: Ide,
  query: { readonly path: string; readonly depth: number; readonly withDocumentation: boolean },
): Promise<Output> {
  const depth = overviewDepth(query.path, query.depth);
  const request = { relativePath: query.path, depth, includeFileDocumentation: query.withDocumentation };
  const { symbols, documentation } = await ide.overview(request);
  const docstring = query.withDocumentation ? documentation : undefined;
  const grouped = { symbols: groupedByType(symbols) };
  const atTop = symbols.map((symbol) => ({ ...symbol, children: undefined }));
  return {
    value: { ...grouped, docstring },
    shorter: [
      ...(docstring === undefined ? [] : [() => labelled('Symbols only', grouped)]),
      ...(depth > 0 ? [() => labelled('Top-level symbols', { symbols: groupedByType(atTop) })] : []),
      () =>
        labelled(
          'Number of top-level symbols by type',
          countBy(symbols, ({ type }) => type),
        ),
    ],
  };
}

const jetBrainsFindReferencingSymbols = defineTool({
  ...ideTool,
  name: 'jet_brains_find_referencing_symbols',
  description: `Finds all references to a symbol through the user's JetBrains IDE, each with its containing symbol and
the surrounding lines. Call it before changing or removing a symbol. Returns JSON by file and type.`,
  input: () => ({ name_path: namePath, relative_path: sourcePath, ...pageParts }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const relativePath = idePath(project, input.relative_path);
    const references = await ide.findReferences({ namePath: withoutEntities(input.name_path), relativePath });
    const byFile = countBy(references, ({ relative_path }) => relative_path ?? 'unknown');
    return {
      value: groupedByFile(withContext(references, project)),
      shorter: [
        () => labelled('Number of references by file', byFile),
        () => `${counted(references.length, 'reference')} in ${counted(Object.keys(byFile).length, 'file')}.`,
      ],
    };
  },
});

/** Replaces line numbers by the lines themselves; numbers remain if the lines cannot be shown. */
function withContext(references: readonly IdeSymbol[], project: Project): SymbolEntry[] {
  const texts = new Map<string, TextLines | undefined>();
  return references.map((reference) => {
    const { reference_line_no: line, relative_path: path, ...symbol } = reference;
    if (line === undefined || path === undefined || isIdeAddress(path)) return entryOf(reference);
    if (!texts.has(path)) texts.set(path, readLines(project, path));
    const text = texts.get(path);
    if (text === undefined || line < 0 || line >= text.starts.length) return entryOf(reference);
    const context = renderMatch(text.text, text.starts, { first: line, last: line }, { before: 1, after: 1 });
    return { ...entryOf({ ...symbol, relative_path: path, reference_line_no: undefined }), context };
  });
}

function readLines(project: Project, path: string): TextLines | undefined {
  try {
    return textLines(readSource(project, resolveInProject(project, path), project.config.encoding).text);
  } catch {
    // The file was renamed meanwhile or is not text; the reference is still valid.
    return undefined;
  }
}

const directions = { super: 'supertypes', sub: 'subtypes' } as const;

type Direction = keyof typeof directions;

const jetBrainsTypeHierarchy = defineTool({
  ...ideTool,
  name: 'jet_brains_type_hierarchy',
  description: `Shows the supertypes and subtypes of a class or interface, through the user's JetBrains IDE. Returns a
JSON object with "supertypes" and "subtypes", each from file to name paths; a type with further types is an object
from its name path to those.`,
  input: () => ({
    name_path: namePath,
    relative_path: sourcePath,
    hierarchy_type: z
      .enum(['super', 'sub', 'both'])
      .default('both')
      .describe('Direction: supertypes, subtypes or both.'),
    depth: z.int().nullable().default(1).describe('Levels to show; null or 0 = all.'),
    ...pageParts,
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const { hierarchy_type: direction, depth } = input;
    const relativePath = idePath(project, input.relative_path);
    const query = { namePath: withoutEntities(input.name_path), relativePath, depth };
    const directionsToShow: readonly Direction[] = direction === 'both' ? ['super', 'sub'] : [direction];
    const answers = await Promise.all(
      directionsToShow.map(async (one) => ({
        name: directions[one],
        ...(await ide.typeHierarchy(one, query)),
      })),
    );
    const rendered = (render: (nodes: readonly HierarchyNode[]) => unknown) =>
      Object.fromEntries(answers.map(({ name, nodes }) => [name, render(nodes)]));
    const omitted = answers.flatMap(({ name, levelsLeftOut: levels }) =>
      levels === undefined ? [] : [[name, levels]],
    );
    return {
      value: {
        ...rendered(byFile),
        ...(omitted.length === 0 ? {} : { levels_not_included: Object.fromEntries(omitted) }),
      },
      shorter: [
        () =>
          labelled(
            'Nearest types only',
            rendered((nodes) => byFile(nodes.map(({ symbol }) => ({ symbol, children: undefined })))),
          ),
        () => labelled('Number of types', rendered(countNodes)),
      ],
    };
  },
});

/** Returns the types by file, each with its further types in the same form. */
function byFile(nodes: readonly HierarchyNode[]): Record<string, unknown[]> {
  return groupedBy(
    nodes,
    ({ symbol }) => symbol.relative_path ?? 'unknown',
    (own) => own.map(withFurther),
  );
}

function withFurther({ symbol, children = [] }: HierarchyNode): unknown {
  return children.length === 0 ? symbol.name_path : { [symbol.name_path]: byFile(children) };
}

function countNodes(nodes: readonly HierarchyNode[]): number {
  return nodes.reduce((count, { children = [] }) => count + 1 + countNodes(children), 0);
}

const jetBrainsFindDeclaration = defineTool({
  ...ideTool,
  name: 'jet_brains_find_declaration',
  description: `Finds the definition of a name that a regex selects in a file, through the user's JetBrains IDE.
Returns JSON with the list "symbols".`,
  input: () => ({
    relative_path: sourcePath,
    regex: capturedName,
    include_body: flag('Include source code.'),
  }),
  async run(context, input) {
    const { project, ide } = context;
    const relativePath = idePath(project, input.relative_path);
    const source = isIdeAddress(relativePath)
      ? await ide.readFile(relativePath)
      : readSource(project, relativePath, project.config.encoding).text;
    const { text, starts } = textLines(normalizeNewlines(source));
    const pattern = withoutEntities(input.regex);
    const offset = await capturedOffset(context, { file: relativePath, pattern, text });
    const { line, character } = positionAt(text, starts, offset);
    return {
      value: await ide.findDeclaration({ relativePath, line, col: character, includeBody: input.include_body }),
    };
  },
});

const jetBrainsFindImplementations = defineTool({
  ...ideTool,
  name: 'jet_brains_find_implementations',
  description: `Finds implementations of an interface, an abstract class or one of its members, through the user's
JetBrains IDE. Returns JSON with the list "symbols".`,
  input: () => ({ relative_path: sourcePath, name_path: namePath }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const relativePath = idePath(project, input.relative_path);
    return { value: await ide.findImplementations({ namePath: withoutEntities(input.name_path), relativePath }) };
  },
});

export const ideSymbolTools = [
  ...[jetBrainsFindSymbol, jetBrainsFindReferencingSymbols, jetBrainsGetSymbolsOverview, jetBrainsTypeHierarchy],
  ...[jetBrainsFindDeclaration, jetBrainsFindImplementations],
];

/** Returns the entry of a symbol in an answer: members have only their own name, and no path. */
function entryOf({ children, ...symbol }: IdeSymbol): SymbolEntry {
  return { ...symbol, children: membersOf(children) };
}

/** Returns symbols grouped by file and type, members by type. */
function groupedByFile(entries: readonly SymbolEntry[]): unknown {
  return groupSymbols(entries, { own: ['relative_path', 'type'], children: ['type'] });
}

/** Returns the symbols of one file grouped by type, members as well. */
function groupedByType(symbols: readonly IdeSymbol[]): unknown {
  const entries = symbols.map(entryOf).map(({ relative_path: _, ...entry }) => entry);
  return groupSymbols(entries, { own: ['type'], children: ['type'] });
}

/** Returns the entries of symbols in a brief answer. */
function briefEntries(symbols: readonly IdeSymbol[]): SymbolEntry[] {
  return symbols.map(({ name_path, type, relative_path }) => ({ name_path, type, relative_path }));
}

function membersOf(symbols: readonly IdeSymbol[] | undefined): readonly SymbolEntry[] | undefined {
  if (symbols === undefined || symbols.length === 0) return undefined;
  return symbols.map(({ name_path, relative_path: _, children, ...symbol }) => ({
    ...symbol,
    children: membersOf(children),
    name: name_path.slice(name_path.lastIndexOf('/') + 1),
  }));
}
