import { z } from 'zod';
import type { Tool } from '../tools/tool.ts';
import { writeForOpenAi } from './openai-schema.ts';

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

type InputSchema = JsonSchema & { readonly type: 'object' };

interface JsonSchema {
  [key: string]: unknown;
}

const outputSchema = {
  type: 'object',
  title: 'applyOutput',
  properties: { result: { title: 'Result', type: 'string' } },
  required: ['result'],
} as const;

/** How a context lists tools. */
interface ListingOptions {
  /** Replaces the description of the tool itself. */
  readonly description: string | undefined;
  readonly hasStructuredOutput: boolean;
  readonly hasOpenAiSchema: boolean;
  /** True to leave out what a model does not need. */
  readonly isCompact: boolean;
}

/** Returns the entry of a tool in the tool list. */
export function listedTool(tool: Tool, options: ListingOptions): ListedTool {
  const title = titleOf(tool.name);
  const listed = {
    name: tool.name,
    title,
    description: (options.description ?? tool.description).trim(),
    inputSchema: inputSchema(tool, options.hasOpenAiSchema),
    ...(options.hasStructuredOutput ? { outputSchema: { ...outputSchema } } : {}),
    annotations: {
      title,
      readOnlyHint: tool.effect === 'reads' || tool.isReadOnly === true,
      destructiveHint: tool.effect === 'edits',
    },
  };
  return options.isCompact ? compact(listed) : listed;
}

/** Converting the tools of a context takes several milliseconds, and over HTTP every session lists them. */
const converted = { forOpenAi: new WeakMap<Tool, InputSchema>(), forOthers: new WeakMap<Tool, InputSchema>() };

function inputSchema(tool: Tool, isForOpenAi: boolean): InputSchema {
  const known = isForOpenAi ? converted.forOpenAi : converted.forOthers;
  const schema = known.get(tool) ?? convert(tool, isForOpenAi);
  known.set(tool, schema);
  return schema;
}

function convert(tool: Tool, isForOpenAi: boolean): InputSchema {
  const { properties, required } = z.toJSONSchema(tool.input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      dropRangeOfIntegers(jsonSchema);
      if (isForOpenAi) writeForOpenAi(jsonSchema);
    },
  });
  const listed = Object.entries(properties ?? {}).map(
    ([name, schema]) => [name, property(name, Object(schema))] as const,
  );
  return {
    type: 'object',
    title: 'applyArguments',
    properties: Object.fromEntries(listed),
    ...(required === undefined ? {} : { required }),
  };
}

/** Drops the limits that zod states for every integer: those of the numbers that JavaScript represents exactly. */
function dropRangeOfIntegers(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Puts the type before the default and the description, as readers expect, and `multipleOf` last, which saves tokens. */
function property(name: string, schema: z.core.JSONSchema.BaseSchema): JsonSchema {
  const { default: fallback, description, multipleOf, ...own } = schema;
  const listed = {
    title: titleOf(name),
    // Not every client understands the list of types that zod makes of a union with `null`.
    ...(Array.isArray(own.type) ? { anyOf: own.type.map((type) => ({ type })) } : own),
    default: fallback,
    description,
    multipleOf,
  };
  return Object.fromEntries(Object.entries(listed).filter(([, value]) => value !== undefined));
}

/** `find_symbol` → `Find Symbol`. */
function titleOf(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** Left out of compact lists; the error for an argument beyond a limit states the limit. */
const dispensable: readonly string[] = ['title', 'minimum', 'maximum', 'minLength', 'maxLength'];

/**
 * Leaves out what a model does not need: titles, limits of values, the output schema (the same for every tool), defaults
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

function compactSchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).filter(
    ([key, value]) => !dispensable.includes(key) && !(key === 'default' && isUsualDefault(value)),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, key === 'properties' ? compactEach(value) : value]));
}

function compactEach(properties: unknown): JsonSchema {
  return Object.fromEntries(
    Object.entries(Object(properties)).map(([name, property]) => [name, compactSchema(Object(property))]),
  );
}

/** True for defaults that a reader assumes; parameters with -1 describe its meaning. */
function isUsualDefault(value: unknown): boolean {
  return [null, false, 0, -1, ''].some((usual) => usual === value) || (Array.isArray(value) && value.length === 0);
}
