import { z } from 'zod';
import type { HierarchyNode } from '../../jetbrains/answers.ts';
import { withoutEntities } from '../answers/entities.ts';
import { labelled } from '../answers/shortening.ts';
import { maxAnswerChars } from '../parameters.ts';
import { defineTool } from '../tool.ts';
import { idePath } from './ide-path.ts';
import { namePath, sourcePath } from './parameters.ts';

const directions = { super: 'supertypes', sub: 'subtypes' } as const;

type Direction = keyof typeof directions;

export const jetBrainsTypeHierarchy = defineTool({
  name: 'jet_brains_type_hierarchy',
  description: `Shows the types that a class or interface is derived from, and those derived from it, through the JetBrains IDE
of the user. Returns a JSON object with "supertypes" and "subtypes", each from file to name paths, where a type with
types of its own is an object from its name path to those.`,
  toolset: 'jetbrains',
  effect: 'reads',
  stage: 'optional',
  needs: 'project',
  input: z.object({
    name_path: namePath,
    relative_path: sourcePath,
    hierarchy_type: z
      .enum(['super', 'sub', 'both'])
      .default('both')
      .describe('Whether to show the types above, those below, or both.'),
    depth: z.int().nullable().default(1).describe('Levels to show; null or 0 means all of them.'),
    max_answer_chars: maxAnswerChars,
  }),
  aliases: { name_path_pattern: 'name_path' },
  async run({ project, ide }, input) {
    const { hierarchy_type: asked, depth } = input;
    const relativePath = idePath(project, input.relative_path);
    const query = { namePath: withoutEntities(input.name_path), relativePath, depth };
    const wanted: readonly Direction[] = asked === 'both' ? ['super', 'sub'] : [asked];
    const answers = await Promise.all(
      wanted.map(async (direction) => ({
        name: directions[direction],
        ...(await ide.typeHierarchy(direction, query)),
      })),
    );
    const rendered = (render: (nodes: readonly HierarchyNode[]) => unknown) =>
      Object.fromEntries(answers.map(({ name, nodes }) => [name, render(nodes)]));
    const leftOut = answers.flatMap(({ name, levelsLeftOut: levels }) =>
      levels === undefined ? [] : [[name, levels]],
    );
    return {
      value: {
        ...rendered(byFile),
        ...(leftOut.length === 0 ? {} : { levels_not_included: Object.fromEntries(leftOut) }),
      },
      shorter: [
        () =>
          labelled(
            'The nearest types alone',
            rendered((nodes) => byFile(nodes.map(({ symbol }) => ({ symbol, children: undefined })))),
          ),
        () => labelled('Number of types', rendered(countNodes)),
      ],
    };
  },
});

/** Returns the types by file, each with those beyond it in the same form. */
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
