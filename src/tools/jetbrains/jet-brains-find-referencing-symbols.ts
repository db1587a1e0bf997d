import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import type { IdeSymbol } from '../../jetbrains/answers.ts';
import type { Project } from '../../project/project.ts';
import { isIdeAddress } from '../../search/dependency-address.ts';
import { resolveInProject } from '../../search/project-path.ts';
import { readSource } from '../../search/source-text.ts';
import { renderMatch } from '../../text/display.ts';
import { type TextLines, textLines } from '../../text/text-lines.ts';
import type { SymbolEntry } from '../answers/compact.ts';
import { withoutEntities } from '../answers/entities.ts';
import { countBy, labelled } from '../answers/shortening.ts';
import { pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { idePath } from './ide-path.ts';
import { namePath, sourcePath } from './parameters.ts';
import { entryOf, groupedByFile } from './symbol-entries.ts';

export const jetBrainsFindReferencingSymbols = defineTool({
  name: 'jet_brains_find_referencing_symbols',
  description: `Finds all references to a symbol through the user's JetBrains IDE, each with its containing symbol and
the surrounding lines. Call it before changing or removing a symbol. Returns JSON by file and type.`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: () => z.object({ name_path: namePath, relative_path: sourcePath, ...pageParts }),
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
