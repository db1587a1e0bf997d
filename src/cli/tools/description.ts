import { homeDirectory } from '../../base/home.ts';
import { nearest } from '../../base/nearest.ts';
import { loadContext } from '../../config/context.ts';
import { listedTool } from '../../mcp/schema.ts';
import { wantsOpenAiSchema } from '../../mcp/wants-openai-schema.ts';
import { canonicalToolName } from '../../tools/arguments.ts';
import { tools } from '../../tools/tools.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { usageError } from '../usage.ts';

/**
 * Writes the description of a tool, as clients receive it, to stdout; with `json` its full definition.
 *
 * @throws {ExpectedError} `usage.invalid` for an unknown tool; `config.invalid` for an unknown context.
 */
export async function describeTool(
  name: string,
  flags: { readonly context: string; readonly json?: boolean },
  environment: Environment,
): Promise<void> {
  const canonicalName = canonicalToolName(name);
  const tool = tools.find((candidate) => candidate.name === canonicalName);
  if (tool === undefined) {
    const meant = nearest(
      canonicalName,
      tools.map((candidate) => candidate.name),
    );
    throw usageError(`there is no tool \`${name}\``, [
      meant === undefined ? 'run `serena tools list --all`' : `did you mean \`${meant}\`?`,
    ]);
  }
  const context = await loadContext(flags.context, homeDirectory(environment.env));
  const listed = listedTool(tool, {
    hasStructuredOutput: context.hasStructuredOutput,
    hasOpenAiSchema: wantsOpenAiSchema(context.name),
    isCompact: context.isCompact,
    description: context.descriptionOverrides[tool.name],
  });
  ownCaller.print(`${flags.json ? JSON.stringify(listed, undefined, 2) : listed.description}\n`);
}
