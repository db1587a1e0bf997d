import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { outputSchemas } from '../../src/generated/input-schemas.ts';
import { canonicalToolName } from '../../src/tools/arguments.ts';

const provider = new AjvJsonSchemaValidator();
const validators = new Map<string, ReturnType<typeof provider.getValidator>>();

/** Schemas allow what they do not name; in tests, an answer has nothing else. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, strict(part)]));
  return 'properties' in parts ? { additionalProperties: false, ...parts } : parts;
}

/** Checks the structured content of an answer against the output schema that the tool lists. @throws {Error} if it differs. */
export function validateStructured(name: string, structured: Readonly<Record<string, unknown>> | undefined): void {
  const tool = canonicalToolName(name);
  const text = outputSchemas[tool];
  if (structured === undefined || text === undefined) return;
  const validator = validators.get(tool) ?? provider.getValidator(Object(strict(JSON.parse(text))));
  validators.set(tool, validator);
  const { valid, errorMessage } = validator(structured);
  if (!valid) throw new Error(`the answer of \`${tool}\` does not match its schema: ${errorMessage}`);
}
