import { z } from 'zod';
import { baseType } from '../tools/arguments.ts';
import type { Tool } from '../tools/tool.ts';
import { openAiSchema } from './openai-schema.ts';

/** A tool in the result of `tools/list`: see docs/compatibility.md, Tool list. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema?: JsonSchema & { readonly type: 'object' };
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
  };
  readonly [key: string]: unknown;
}

interface JsonSchema {
  [key: string]: unknown;
}

const outputSchema = {
  type: 'object',
  title: 'applyOutput',
  properties: { result: { title: 'Result', type: 'string' } },
  required: ['result'],
} as const;

/** Settings of the context for listed tools. */
interface ListingOptions {
  /** Replaces the tool's own description. */
  readonly description: string | undefined;
  readonly hasStructuredOutput: boolean;
  readonly hasOpenAiSchema: boolean;
  /** True to leave out what clients can derive themselves: titles and default annotations. */
  readonly isCompact: boolean;
}

/** Returns a tool as clients see it in `tools/list`. */
export function listedTool(tool: Tool, options: ListingOptions): ListedTool {
  const title = titleOf(tool.name);
  const schema = inputSchema(tool);
  const listed = {
    name: tool.name,
    title,
    description: (options.description ?? tool.description).trim(),
    inputSchema: options.hasOpenAiSchema ? { ...openAiSchema(schema), type: 'object' as const } : schema,
    ...(options.hasStructuredOutput ? { outputSchema: { ...outputSchema } } : {}),
    annotations: {
      title,
      readOnlyHint: tool.effect === 'reads' || tool.isReadOnly === true,
      destructiveHint: tool.effect === 'edits',
    },
  };
  return options.isCompact ? compact(listed) : listed;
}

function inputSchema(tool: Tool): ListedTool['inputSchema'] {
  const shape = Object.entries(tool.input.shape);
  const required = shape.filter(([, type]) => !type.safeParse(undefined).success).map(([name]) => name);
  const properties = Object.fromEntries(shape.map(([name, type]) => [name, property(name, type)]));
  return { type: 'object', title: 'applyArguments', properties, ...(required.length > 0 ? { required } : {}) };
}

function property(name: string, type: z.core.$ZodType): JsonSchema {
  const described = type instanceof z.ZodType ? type.description : undefined;
  const fallback = type instanceof z.ZodDefault ? { default: type.parse(undefined) } : {};
  const nullable = type instanceof z.ZodDefault && type.unwrap() instanceof z.ZodNullable;
  const own = typeSchema(baseType(type));
  return {
    title: titleOf(name),
    ...(nullable ? { anyOf: [own, { type: 'null' }] } : own),
    ...fallback,
    ...(described === undefined ? {} : { description: described }),
  };
}

function typeSchema(type: z.core.$ZodType): JsonSchema {
  if (type instanceof z.ZodBoolean) return { type: 'boolean' };
  if (type instanceof z.ZodNumber) return { type: 'integer' };
  if (type instanceof z.ZodArray) return { type: 'array', items: typeSchema(type.element) };
  if (type instanceof z.ZodEnum) return { type: 'string', enum: [...type.options] };
  return { type: 'string' };
}

/** `find_symbol` → `Find Symbol`. */
function titleOf(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** Leaves out titles, and annotations that have their default values. */
function compact({ title: _, annotations = {}, ...listed }: ListedTool): ListedTool {
  const { readOnlyHint, destructiveHint } = annotations;
  return {
    ...listed,
    inputSchema: { ...withoutTitles(listed.inputSchema), type: 'object' },
    ...(listed.outputSchema ? { outputSchema: { ...withoutTitles(listed.outputSchema), type: 'object' } } : {}),
    ...(readOnlyHint ? { annotations: { readOnlyHint } } : {}),
    ...(readOnlyHint || destructiveHint ? {} : { annotations: { destructiveHint: false } }),
  };
}

function withoutTitles({ title: _, properties, ...schema }: JsonSchema): JsonSchema {
  if (typeof properties !== 'object' || properties === null) return { ...schema };
  const untitled = Object.entries(properties).map(([name, property]: [string, JsonSchema]) => [
    name,
    withoutTitles(property),
  ]);
  return { ...schema, properties: Object.fromEntries(untitled) };
}
