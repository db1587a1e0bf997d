import { z } from 'zod';
import { loadNamedFile, promptFileSchema } from './named-file.ts';
import { type ToolSelection, toolSelectionOf } from './tool-selection.ts';

const contextSchema = promptFileSchema.extend({
  tool_description_overrides: z
    .record(z.string(), z.string())
    .nullish()
    .transform((value) => value ?? {}),
  single_project: z.boolean().default(false),
  structured_tool_output: z.boolean().nullish(),
});

/** The situation that we are embedded in: which client, and what that asks of tools and words (`spec/system.md` §3). */
export interface Context extends ToolSelection {
  readonly name: string;
  /** Jinja template. */
  readonly prompt: string;
  readonly descriptionOverrides: Readonly<Record<string, string>>;
  readonly isSingleProject: boolean;
  /** Whether results carry structured content beside their text. */
  readonly hasStructuredOutput: boolean;
}

/** Returns the context called `name`; see {@link loadNamedFile} for where it comes from and what is thrown. */
export async function loadContext(name: string, home: string): Promise<Context> {
  const { content, ...file } = await loadNamedFile('contexts', name, { home, schema: contextSchema });
  return {
    name: file.name,
    prompt: content.prompt,
    ...toolSelectionOf(content),
    descriptionOverrides: content.tool_description_overrides,
    isSingleProject: content.single_project,
    // Every result is a text, so that structured output is on unless the context says no.
    hasStructuredOutput: content.structured_tool_output ?? true,
  };
}
