import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ExpectedError } from '../../base/errors.ts';
import type { ProjectDirectory } from '../../search/project-path.ts';
import { withoutEntities } from '../answers/entities.ts';
import { maxMatches, requireUsableLimit, tooManyHits } from '../answers/max-matches.ts';
import { labelled } from '../answers/shortening.ts';
import { maxAnswerChars } from '../parameters.ts';
import { defineTool, type Output, type ProjectContext } from '../tool.ts';
import { idePath, isExternal } from './ide-path.ts';
import { overviewOf } from './overview.ts';
import { briefEntries, entryOf, groupedByFile } from './symbol-entries.ts';

export const jetBrainsFindSymbol = defineTool({
  name: 'jet_brains_find_symbol',
  description: `Finds symbols by name path through the JetBrains IDE of the user, in libraries as well: \`method\` matches at
any level, \`Class/method\` below a class of that name, \`/Class\` only at the top of a file; \`*\` stands for any part of
one name. Returns a JSON object from file and type to the symbols.`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: z.object({
    name_path_pattern: z.string().describe('Name path, see above.'),
    depth: z.int().default(0).describe('Levels of members to list for each hit.'),
    relative_path: z
      .string()
      .nullable()
      .default(null)
      .describe('File or directory to search, or `<ext:…>` for a file of a library; null means all of the project.'),
    include_body: z.boolean().default(false).describe('Whether to show the source text.'),
    include_info: z
      .boolean()
      .default(false)
      .describe('Whether to show the documentation of each hit instead of its signature; not with include_body.'),
    search_deps: z.boolean().default(false).describe('Whether to search the libraries of the project as well.'),
    max_matches: maxMatches,
    max_answer_chars: maxAnswerChars,
  }),
  aliases: { name_path: 'name_path_pattern' },
  async run(context, input) {
    requireUsableLimit(input.max_matches);
    const pattern = withoutEntities(input.name_path_pattern);
    const path = scopeOf(context.project, input.relative_path);
    if (/^[*/]*$/.test(pattern)) return await insteadOfEverything(context, { path, depth: input.depth });
    const symbols = await context.ide.findSymbols({
      namePath: pattern,
      relativePath: path,
      depth: input.depth,
      includeBody: input.include_body,
      includeQuickInfo: !input.include_body && !input.include_info,
      includeDocumentation: !input.include_body && input.include_info,
      searchDeps: input.search_deps || (path !== null && isExternal(path)),
    });
    const brief = () => labelled('Name paths by file and type', groupedByFile(briefEntries(symbols)));
    const overflow = tooManyHits(symbols.length, input.max_matches, brief);
    return { value: overflow ?? groupedByFile(symbols.map(entryOf)), shorter: overflow === undefined ? [brief] : [] };
  },
});

/** Returns the scope as the IDE takes it; null for all of the project. */
function scopeOf(project: ProjectDirectory, sent: string | null): string | null {
  const path = idePath(project, sent ?? '');
  return path === '.' ? null : path;
}

/** A pattern that matches everything is a question for the overview of a file, and no question about a project. */
async function insteadOfEverything(
  { project, ide }: ProjectContext,
  { path, depth }: { path: string | null; depth: number },
): Promise<Output> {
  if (path === null || !isFile(join(project.root, path))) {
    throw new ExpectedError('tool.invalid-input', 'The pattern matches every name there is', {
      hints: ['Pass at least a part of a name', 'For all symbols of one file pass the file as `relative_path`'],
    });
  }
  const overview = await overviewOf(ide, { path, depth: depth === 0 ? -1 : depth, withDocumentation: false });
  const message = 'The pattern matches every name, so this is an overview of the file.';
  return { ...overview, value: { message, response: overview.value } };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
