import { z } from 'zod';
import { countBy, labelled } from '../answers/answer-text.ts';
import { optionalText, pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { given, idePath, ideTool } from './arguments.ts';

const jetBrainsDebug = defineTool({
  ...ideTool,
  name: 'jet_brains_debug',
  description: `Evaluates an expression in a REPL of the debugger in the user's JetBrains IDE. Definitions persist
between calls with the same key. Returns the result as text.`,
  effect: 'runs',
  stage: 'beta',
  input: () => ({
    expression: z.string().describe('Expression to evaluate; empty closes the REPL.'),
    repl_key: z.string().default('default').describe('Name of the REPL; different names are independent.'),
  }),
  async run({ ide }, { expression, repl_key: replKey }) {
    const answer = await (expression === '' ? ide.closeRepl({ replKey }) : ide.evaluate({ replKey, expression }));
    const hasResult = typeof answer === 'object' && answer !== null && 'result' in answer;
    return { value: hasResult ? answer.result : answer };
  },
});

const jetBrainsRunInspections = defineTool({
  ...ideTool,
  name: 'jet_brains_run_inspections',
  description: `Runs inspections of the user's JetBrains IDE on a file. Lines are 1-based here, unlike elsewhere.
Returns the answer of the IDE as JSON.`,
  input: () => ({
    relative_path: z.string().describe('File to inspect, relative to the project root.'),
    min_severity: optionalText('Minimum severity as the IDE names it, such as WARNING; null = default of the IDE.'),
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

const jetBrainsListInspections = defineTool({
  ...ideTool,
  name: 'jet_brains_list_inspections',
  description: `Lists the inspections that the user's JetBrains IDE can run. Returns JSON with the list "inspections",
each with name, group_path and, if known, language and description.`,
  input: () => ({
    language: optionalText('Language of the inspections; null = all.'),
    group_path_contains: optionalText('Text in the path of their group; null = all.'),
    ...pageParts,
  }),
  async run({ ide }, input) {
    const language = given(input.language);
    const groupPathContains = given(input.group_path_contains);
    const answer = await ide.listInspections({
      ...(language === null ? {} : { language }),
      ...(groupPathContains === null ? {} : { groupPathContains }),
    });
    const byGroup = Map.groupBy(answer.inspections, (inspection) => inspection.group_path);
    const names = () =>
      [...byGroup].map(([group, inspections]) => [group, inspections.map(({ name }) => name)] as const);
    return {
      value: answer,
      shorter: [
        () => labelled('Names by group', Object.fromEntries(names())),
        () =>
          labelled(
            'Number of inspections by group',
            countBy(answer.inspections, (inspection) => inspection.group_path),
          ),
      ],
    };
  },
});

export const ideCheckTools = [jetBrainsDebug, jetBrainsRunInspections, jetBrainsListInspections];
