import { describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { inputSchema } from '../../scripts/support/input-schema.ts';
import { compactSchema } from '../../src/mcp/tool-list.ts';

/** Returns the properties of a tool with the given parameters, as clients receive them. */
function listedProperties(input: z.ZodObject) {
  return inputSchema(input).properties;
}

describe('inputSchema()', () => {
  const limited = z.object({
    count: z.int().min(1).default(20),
    line: z.int(),
    ratio: z.number(),
    name: z.string().min(1).max(9),
  });

  test('states limits, but not the range that every integer has', () => {
    expect(listedProperties(limited)).toEqual({
      count: { title: 'Count', type: 'integer', minimum: 1, default: 20 },
      line: { title: 'Line', type: 'integer' },
      ratio: { title: 'Ratio', type: 'number' },
      name: { title: 'Name', type: 'string', minLength: 1, maxLength: 9 },
    });
  });

  test('leaves out limits in compact lists', () => {
    expect(compactSchema(inputSchema(limited)).properties).toEqual({
      count: { type: 'integer', default: 20 },
      line: { type: 'integer' },
      ratio: { type: 'number' },
      name: { type: 'string' },
    });
  });

  test('writes a type or null as a union', () => {
    expect(listedProperties(z.object({ path: z.string().nullable().default(null) }))).toEqual({
      path: { title: 'Path', anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    });
  });

  test('fails for a type that JSON Schema cannot express', () => {
    expect(() => listedProperties(z.object({ when: z.date() }))).toThrow('cannot be represented');
  });
});
