import { z } from 'zod';
import { labelled } from '../answers/shortening.ts';
import { pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { given, idePath } from './ide-path.ts';

export const jetBrainsRunInspections = defineTool({
  name: 'jet_brains_run_inspections',
  description: `Runs inspections of the user's JetBrains IDE on a file. Lines are 1-based here, unlike elsewhere.
Returns the answer of the IDE as JSON.`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: () =>
    z.object({
      relative_path: z.string().describe('File to inspect, relative to the project root.'),
      min_severity: z
        .string()
        .nullable()
        .default(null)
        .describe('Minimum severity as the IDE names it, such as WARNING; null = default of the IDE.'),
      inspection_names: z
        .array(z.string())
        .nullable()
        .default(null)
        .describe('Inspections to run; null = all enabled ones.'),
      start_line: z.int().nullable().default(null).describe('First line to inspect, 1-based; null = first.'),
      end_line: z.int().nullable().default(null).describe('Last line to inspect, 1-based, inclusive; null = last.'),
      ...pageParts,
    }),
  async run({ project, ide }, input) {
    const minSeverity = given(input.min_severity);
    const answer = await ide.runInspections({
      relativePath: idePath(project, input.relative_path),
      ...(minSeverity === null ? {} : { minSeverity }),
      ...(input.inspection_names === null ? {} : { inspectionNames: input.inspection_names }),
      ...(input.start_line === null ? {} : { startLine: input.start_line }),
      ...(input.end_line === null ? {} : { endLine: input.end_line }),
    });
    return {
      value: answer,
      shorter: [() => labelled('Number of entries in each part of the answer', sizesOf(answer))],
    };
  },
});

/** Returns the size of each part of an answer, whose structure only the IDE defines. */
function sizesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => {
      if (Array.isArray(part)) return [key, part.length];
      return [key, typeof part === 'object' && part !== null ? Object.keys(part).length : part];
    }),
  );
}
