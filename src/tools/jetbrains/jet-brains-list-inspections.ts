import { z } from 'zod';
import { countBy, labelled } from '../answers/shortening.ts';
import { pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { given } from './ide-path.ts';

export const jetBrainsListInspections = defineTool({
  name: 'jet_brains_list_inspections',
  description: `Lists the inspections that the user's JetBrains IDE can run. Returns JSON with the list "inspections",
each with name, group_path and, if known, language and description.`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: () =>
    z.object({
      language: z.string().nullable().default(null).describe('Language of the inspections; null = all.'),
      group_path_contains: z.string().nullable().default(null).describe('Text in the path of their group; null = all.'),
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
