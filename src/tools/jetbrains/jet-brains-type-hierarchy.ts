import { z } from 'zod';
import type { HierarchyNode } from '../../jetbrains/answers.ts';
import { withoutEntities } from '../answers/entities.ts';
import { labelled } from '../answers/shortening.ts';
import { pageParts } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { idePath } from './ide-path.ts';
import { namePath, sourcePath } from './parameters.ts';

const directions = { super: 'supertypes', sub: 'subtypes' } as const;

type Direction = keyof typeof directions;

export const jetBrainsTypeHierarchy = defineTool({
  name: 'jet_brains_type_hierarchy',
  description: `Shows the supertypes and subtypes of a class or interface, through the user's JetBrains IDE. Returns a
JSON object with "supertypes" and "subtypes", each from file to name paths; a type with further types is an object
from its name path to those.`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: () =>
    z.object({
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
  const groups = Map.groupBy(nodes, ({ symbol }) => symbol.relative_path ?? 'unknown');
  return Object.fromEntries([...groups].map(([path, group]) => [path, group.map(withFurther)]));
}

function withFurther({ symbol, children = [] }: HierarchyNode): unknown {
  return children.length === 0 ? symbol.name_path : { [symbol.name_path]: byFile(children) };
}

function countNodes(nodes: readonly HierarchyNode[]): number {
  return nodes.reduce((count, { children = [] }) => count + 1 + countNodes(children), 0);
}
