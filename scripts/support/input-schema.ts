import { z } from 'zod';
import { type InputSchema, type JsonSchema, titleOf } from '../../src/mcp/tool-list.ts';

/** Returns the JSON schema of a tool's parameters, as clients receive it. */
export function inputSchema(input: z.ZodObject): InputSchema {
  const { properties, required } = z.toJSONSchema(input, {
    io: 'input',
    override: ({ jsonSchema }) => {
      dropRangeOfIntegers(jsonSchema);
      dropEmptyProperties(jsonSchema);
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

/** Returns the JSON schema of structured results with data of the schema `data`. */
export function outputSchema(data: z.ZodObject): InputSchema {
  const result = z.object({
    result: z.string(),
    notes: z.string().optional(),
    complete: z.boolean().optional(),
    data: data.optional(),
  });
  const { properties, required, $defs } = z.toJSONSchema(result, {
    io: 'input',
    reused: 'ref',
    override: ({ jsonSchema }) => {
      dropRangeOfIntegers(jsonSchema);
      // Names of properties are always strings.
      delete jsonSchema.propertyNames;
    },
  });
  return { type: 'object', properties, required, ...($defs === undefined ? {} : { $defs }) };
}

/** Drops the limits that zod states for every integer: those of the numbers that JavaScript represents exactly. */
function dropRangeOfIntegers(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Drops what zod states for an object of any form. */
function dropEmptyProperties(schema: z.core.JSONSchema.BaseSchema): void {
  if (Object.keys(schema.properties ?? { none: true }).length > 0) return;
  delete schema.properties;
  if (schema.additionalProperties !== false) delete schema.additionalProperties;
}

/** Puts the type before the default and the description, as readers expect. */
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
