import type { z } from 'zod';

/** Contexts whose clients accept only OpenAI's subset of JSON Schema. */
const contexts: readonly string[] = ['chatgpt', 'codex', 'oaicompat-agent'];

/** True if the schemas for clients in the context called `name` must pass through {@link writeForOpenAi}. */
export function wantsOpenAiSchema(name: string): boolean {
  return contexts.includes(name);
}

/**
 * Rewrites the schema of one zod type in place, after those of its parts, into the subset that OpenAI's clients accept:
 * `number` with `multipleOf: 1` for `integer`, and a type instead of its union with `null`. See docs/compatibility.md,
 * Schemas for OpenAI clients.
 */
export function writeForOpenAi(schema: z.core.JSONSchema.BaseSchema): void {
  const others = schema.anyOf?.filter((branch) => Object(branch).type !== 'null') ?? [];
  if (others.length === 1) {
    const { anyOf: _, ...own } = schema;
    delete schema.anyOf;
    Object.assign(schema, others[0], own);
  }
  if (schema.type === 'integer') Object.assign(schema, { type: 'number', multipleOf: schema.multipleOf ?? 1 });
  // `null` is no longer a valid value, so it cannot be the default; leaving the argument out means the same.
  if (schema.default === null) delete schema.default;
}
