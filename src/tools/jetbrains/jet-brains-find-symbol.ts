import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import { isIdeAddress } from '../../search/dependency-address.ts';
import type { ProjectDirectory } from '../../search/project-path.ts';
import { withoutEntities } from '../answers/entities.ts';
import { maxMatches, overflowAnswer, requireUsableLimit } from '../answers/max-matches.ts';
import { labelled } from '../answers/shortening.ts';
import { pageParts } from '../parameters.ts';
import { defineTool, type Output, type ProjectContext } from '../tool.ts';
import { idePath } from './ide-path.ts';
import { overviewOf } from './overview.ts';
import { briefEntries, entryOf, groupedByFile } from './symbol-entries.ts';

export const jetBrainsFindSymbol = defineTool({
  name: 'jet_brains_find_symbol',
  description: `Finds symbols by name path through the user's JetBrains IDE, optionally in libraries: \`method\`
matches at any level, \`Class/method\` inside such a class, \`/Class\` at the top level; \`*\` matches any part of one
name. Returns JSON by file and type.`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: () =>
    z.object({
      name_path_pattern: z.string().describe('Name path to match.'),
      depth: z.int().default(0).describe('Levels of members to include.'),
      relative_path: z
        .string()
        .nullable()
        .default(null)
        .describe('File or directory to search, or `<ext:…>` for a library file; null = whole project.'),
      include_body: z.boolean().default(false).describe('Include source code.'),
      include_info: z
        .boolean()
        .default(false)
        .describe('Include documentation instead of the signature; ignored with include_body.'),
      search_deps: z.boolean().default(false).describe('Search the libraries of the project as well.'),
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
