import { capitalized } from '../base/capitalized.ts';
import { inputSchemas, outputSchemas } from '../generated/input-schemas.ts';
import { questions } from '../tools/questions.ts';
import { sharedParameters, type Tool } from '../tools/tool.ts';

/** A tool in the result of `tools/list` (see docs/compatibility.md, Tool list). */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
  readonly outputSchema?: JsonSchema & { readonly type: 'object' };
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
  };
  readonly [key: string]: unknown;
}

export type InputSchema = JsonSchema & { readonly type: 'object' };

export interface JsonSchema {
  [key: string]: unknown;
}

const outputSchema = {
  type: 'object',
  title: 'applyOutput',
  properties: {
    result: { title: 'Result', type: 'string' },
    notes: { title: 'Notes', type: 'string' },
    complete: { title: 'Complete', type: 'boolean' },
  },
  required: ['result'],
} as const;

/** How a context lists tools. */
interface ListingOptions {
  /** Possible effect of the tool in the session, which may be less than its own effect. */
  readonly effect?: Tool['effect'];
  /** Replaces the description of the tool itself. */
  readonly description: string | undefined;
  readonly hasStructuredOutput: boolean;
  /** True if structured results have data besides their text. */
  readonly hasData: boolean;
  readonly hasOpenAiSchema: boolean;
  /** True to add the question that the tool answers, by which Claude Code finds tools; models do not see it. */
  readonly hasToolHints: boolean;
  /** True to ask Claude Code not to defer the tool. */
  readonly isAlwaysLoaded: boolean;
  /** True to leave out the parts that a model does not need. */
  readonly isCompact: boolean;
}

export function listedTool(tool: Tool, options: ListingOptions): ListedTool {
  const title = titleOf(tool.name);
  const { effect = tool.effect } = options;
  const hint = options.hasToolHints ? questions[tool.name] : undefined;
  const meta = {
    ...(hint === undefined ? {} : { 'anthropic/searchHint': hint }),
    ...(options.isAlwaysLoaded ? { 'anthropic/alwaysLoad': true } : {}),
  };
  const listed = {
    name: tool.name,
    title,
    description: (options.description ?? tool.description).trim(),
    inputSchema: inputSchema(tool, options.hasOpenAiSchema),
    ...(options.hasStructuredOutput ? { outputSchema: outputSchemaOf(tool, options) } : {}),
    annotations: {
      title,
      readOnlyHint: effect === 'reads' || tool.isReadOnly === true,
      destructiveHint: effect === 'edits',
    },
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
  };
  if (!options.isCompact) return listed;
  // `replace_in_files` has its own.
  const isShared = (name: string) => name !== 'dry_run' || tool.trials.includes(name);
  const isDescribedHere = (name: string) => tool.describes?.some((described) => described === name) === true;
  return without(
    sharedParameters.filter((name) => isShared(name) && !isDescribedHere(name)),
    { ...compact(listed), ...compactOutput(tool, options) },
  );
}

/** Only the schemas of data say something that readers do not know. */
function compactOutput({ name }: Tool, { hasData }: ListingOptions): Pick<ListedTool, 'outputSchema'> {
  const text = hasData ? outputSchemas[name] : undefined;
  return text === undefined ? {} : { outputSchema: JSON.parse(text) };
}

/** Returns the schema of a tool's results; with that of their data only where results have them. */
function outputSchemaOf({ name }: Tool, { hasData }: ListingOptions): InputSchema {
  const text = hasData ? outputSchemas[name] : undefined;
  if (text === undefined) return { ...outputSchema };
  const { properties, ...schema } = JSON.parse(text);
  return { ...outputSchema, ...schema, properties: { ...properties, ...outputSchema.properties } };
}

function inputSchema({ name }: Tool, isForOpenAi: boolean): InputSchema {
  const text = inputSchemas[name];
  if (text === undefined) throw new Error(`no schema of \`${name}\` is embedded`);
  const schema: InputSchema = JSON.parse(text);
  return isForOpenAi ? { ...schema, ...schemaForOpenAi(schema) } : schema;
}

/**
 * Returns a schema in the subset that OpenAI's clients accept: `number` with `multipleOf: 1` for `integer`, and one type
 * instead of a union. See docs/compatibility.md, Schemas for OpenAI clients. `multipleOf` is last, which saves tokens.
 */
export function schemaForOpenAi({ anyOf, ...own }: JsonSchema): JsonSchema {
  const { type: types, ...typeless } = own;
  if (Array.isArray(types)) return schemaForOpenAi({ ...typeless, anyOf: types.map((type) => ({ type })) });
  const branches: JsonSchema[] = Array.isArray(anyOf) ? anyOf.filter(({ type }) => type !== 'null') : [];
  // Of one string or several, the list: it can hold one as well.
  const chosen = branches.length === 1 ? branches[0] : branches.find(({ type }) => type === 'array');
  const union: JsonSchema = chosen ?? (anyOf === undefined ? {} : { anyOf: branches.map(schemaForOpenAi) });
  const { default: fallback, description, multipleOf, ...rest } = { ...own, ...union, ...own };
  const { items, properties, additionalProperties, type } = rest;
  const listed = {
    ...rest,
    ...(type === 'integer' ? { type: 'number' } : {}),
    ...(items === undefined ? {} : { items: schemaForOpenAi(Object(items)) }),
    ...(properties === undefined ? {} : { properties: mapProperties(properties, schemaForOpenAi) }),
    ...(typeof additionalProperties === 'object' ? mapProperties({ additionalProperties }, schemaForOpenAi) : {}),
    // `null` is no longer a valid value, so it cannot be the default; leaving the argument out means the same.
    default: fallback ?? undefined,
    description,
    multipleOf: multipleOf ?? (type === 'integer' ? 1 : undefined),
  };
  return Object.fromEntries(Object.entries(listed).filter(([, value]) => value !== undefined));
}

/** Left out of compact lists; the error for an argument beyond a limit states the limit. */
const dispensable: readonly string[] = ['title', 'minimum', 'maximum', 'minLength', 'maxLength'];

/**
 * Leaves out the parts that a model does not need: titles, limits of values, the output schema (the same for every tool), defaults
 * that an optional parameter has anyway, and annotations that clients assume.
 */
function compact({ title: _, outputSchema: __, annotations = {}, ...listed }: ListedTool): ListedTool {
  const { readOnlyHint, destructiveHint } = annotations;
  return {
    ...listed,
    inputSchema: { ...compactSchema(listed.inputSchema), type: 'object' },
    ...(readOnlyHint ? { annotations: { readOnlyHint } } : {}),
    ...(readOnlyHint || destructiveHint ? {} : { annotations: { destructiveHint: false } }),
  };
}

function without(parameters: readonly string[], listed: ListedTool): ListedTool {
  const { properties } = listed.inputSchema;
  if (properties === undefined) return listed;
  const kept = Object.entries(Object(properties)).filter(([name]) => !parameters.includes(name));
  return { ...listed, inputSchema: { ...listed.inputSchema, properties: Object.fromEntries(kept) } };
}

/** Returns the schema without the parts that a model does not need. */
export function compactSchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(
    ([key, value]) => !dispensable.includes(key) && !(key === 'default' && isUsualDefault(value)),
  );
  return Object.fromEntries(
    entries.map(([key, value]) => [key, key === 'properties' ? mapProperties(value, compactSchema) : value]),
  );
}

function mapProperties(properties: unknown, map: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(Object(properties)).map(([name, property]) => [name, map(Object(property))]),
  );
}

/** True for defaults that a reader assumes; parameters with -1 describe its meaning. */
function isUsualDefault(value: unknown): boolean {
  return [null, false, 0, -1, ''].some((usual) => usual === value) || (Array.isArray(value) && value.length === 0);
}

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

/** Contexts whose clients accept only OpenAI's subset of JSON Schema. */
const contexts: readonly string[] = ['chatgpt', 'codex', 'oaicompat-agent'];

/** True if clients in the context called `name` get schemas in that subset; see docs/compatibility.md, Schemas for OpenAI clients. */
export function wantsOpenAiSchema(name: string): boolean {
  return contexts.includes(name);
}

/** Returns the title of a tool or a parameter: `find_symbol` → `Find Symbol`. */
export function titleOf(name: string): string {
  return name.split('_').map(capitalized).join(' ');
}
