import type { ListedTool } from './schema.ts';

/** Parameters that belong to calls, not to a tool. */
const parameters = {
  session: { type: 'string', description: 'Handle of the session, from initial_instructions.' },
  project: { type: 'string', description: 'Name or absolute path of the project; default: the active one.' },
} as const;

/** Returns the entry of a tool with the chosen parameters of calls after its own. */
export function withCallParameters(
  listed: ListedTool,
  chosen: Readonly<Record<keyof typeof parameters, boolean>>,
): ListedTool {
  const added = Object.fromEntries(
    Object.entries(parameters).filter(([name]) => (name === 'session' ? chosen.session : chosen.project)),
  );
  if (Object.keys(added).length === 0) return listed;
  const { inputSchema } = listed;
  return { ...listed, inputSchema: { ...inputSchema, properties: { ...Object(inputSchema.properties), ...added } } };
}
