import { z } from 'zod';
import { baseType } from '../tools/arguments.ts';
import type { Tool } from '../tools/tool.ts';
import { openAiSchema } from './openai-schema.ts';

/** A tool in the result of `tools/list` (see docs/compatibility.md, Tool list). */
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

/**
 * Leaves out what a model does not need: titles, the output schema (the same for every tool), defaults that an optional
 * parameter has anyway, and annotations that clients assume.
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
    ([key, value]) => key !== 'title' && !(key === 'default' && isUsualDefault(value)),
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
