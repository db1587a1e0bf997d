import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openAiSchema } from '../../src/mcp/openai-schema.ts';
import { tools as registry } from '../../src/tools/tools.ts';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';

type Schema = Record<string, unknown>;

const whole = { type: 'number', multipleOf: 1 };
const nothing = { type: 'null' };

/** The linter mistakes an object with a literal key `then` for a promise. */
const condition = (...schemas: [Schema, Schema, Schema]) =>
  Object.fromEntries(['if', 'then', 'else'].map((keyword, index) => [keyword, schemas[index]]));

describe('openAiSchema()', () => {
  const cases: { what: string; from: Schema; to: Schema }[] = [
    // 1
    { what: 'an integer', from: { type: 'integer', default: 3 }, to: { ...whole, default: 3 } },
    { what: 'an integer with steps', from: { type: 'integer', multipleOf: 5 }, to: { type: 'number', multipleOf: 5 } },
    { what: 'a number', from: { type: 'number', minimum: 0 }, to: { type: 'number', minimum: 0 } },
    // 2
    { what: 'a type or null', from: { type: ['string', 'null'], default: null }, to: { type: 'string' } },
    { what: 'an integer or null', from: { type: ['integer', 'null'] }, to: whole },
    { what: 'null as the only type of a list', from: { type: ['null'] }, to: { type: 'object' } },
    { what: 'an empty list of types', from: { type: [] }, to: { type: 'object' } },
    {
      what: 'several types',
      from: { type: ['string', 'integer', 'number', 'null'] },
      to: { type: ['string', 'number'], multipleOf: 1 },
    },
    // 3
    { what: 'an enum of integers', from: { enum: [1, 2] }, to: { enum: [1, 2], ...whole } },
    { what: 'an enum of mixed types', from: { enum: [1, 'a'] }, to: { enum: [1, 'a'] } },
    { what: 'an empty enum', from: { enum: [] }, to: { enum: [] } },
    // 4
    {
      what: 'a list or null, with its items',
      from: { title: 'Ids', anyOf: [{ type: 'array', items: { type: 'string' } }, nothing], default: null },
      to: { title: 'Ids', type: 'array', items: { type: 'string' } },
    },
    {
      what: 'null or an integer, in either union',
      from: { oneOf: [nothing, { type: 'integer', minimum: 2 }], description: 'How many.' },
      to: { type: 'number', minimum: 2, multipleOf: 1, description: 'How many.' },
    },
    {
      what: 'a union whose branch has keys of the node, which win',
      from: { description: 'Own.', anyOf: [{ type: 'string', description: 'Of the branch.' }, nothing], default: 'a' },
      to: { description: 'Own.', type: 'string', default: 'a' },
    },
    {
      what: 'a union within a union',
      from: { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }, nothing] },
      to: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    },
    // 5
    {
      what: 'branches that become equal',
      from: { title: 'Size', oneOf: [{ type: 'integer' }, { type: 'number', multipleOf: 1 }] },
      to: { title: 'Size', ...whole },
    },
    {
      what: 'branches that stay different',
      from: { anyOf: [{ type: 'integer' }, { type: 'string' }, nothing] },
      to: { anyOf: [whole, { type: 'string' }, nothing] },
    },
    // 6
    {
      what: 'nested schemas',
      from: {
        type: 'object',
        properties: { a: { type: 'integer' }, default: { type: 'integer' } },
        patternProperties: { '^x': { type: ['integer', 'null'] } },
        definitions: { d: { anyOf: [{ type: 'integer' }, nothing] } },
        $defs: { e: { type: 'array', items: { type: 'integer' } } },
        required: ['a'],
      },
      to: {
        type: 'object',
        properties: { a: whole, default: whole },
        patternProperties: { '^x': whole },
        definitions: { d: whole },
        $defs: { e: { type: 'array', items: whole } },
        required: ['a'],
      },
    },
    {
      what: 'conditions and conjunctions',
      from: {
        allOf: [{ type: 'integer' }, { minimum: 1 }],
        ...condition(
          { properties: { a: { type: 'integer' } } },
          { type: ['integer', 'null'] },
          { anyOf: [{ type: 'string' }, nothing] },
        ),
      },
      to: {
        allOf: [whole, { minimum: 1 }],
        ...condition({ properties: { a: whole } }, whole, { type: 'string' }),
      },
    },
    { what: 'lists of item schemas', from: { items: [{ type: 'integer' }, true] }, to: { items: [whole, true] } },
    {
      what: 'no unknown keys',
      from: { const: null, examples: [{ type: 'integer' }] },
      to: { const: null, examples: [{ type: 'integer' }] },
    },
  ];
  for (const { what, from, to } of cases) {
    test(`rewrites ${what}`, () => {
      const before = JSON.stringify(from);
      expect(openAiSchema(from)).toEqual(to);
      expect(JSON.stringify(from)).toBe(before);
      expect(openAiSchema(to)).toEqual(to);
    });
  }
});

const Property = z.looseObject({
  description: z.string(),
  type: z.enum(['string', 'boolean', 'number', 'array']),
});
const Listed = z.object({
  name: z.string(),
  inputSchema: z.object({ type: z.literal('object'), properties: z.record(z.string(), Property) }),
});

/** Returns all tools as a client in the context `name` sees them. */
async function listedIn(name: string) {
  const names = registry.map((tool) => tool.name);
  const home = makeHome({ base_modes: [], included_optional_tools: names });
  mkdirSync(join(home, 'contexts/extensions'), { recursive: true });
  writeFileSync(join(home, 'contexts', `${name}.yml`), 'description: For tests\n');
  // Replaces the built-in context, which excludes former tools.
  writeFileSync(join(home, 'contexts/extensions', `${name}.yml`), '{}\n');
  await using client = await startClient({ args: ['--context', name], env: { SERENA_HOME: home } });
  return await client.tools();
}

describe('tools/list', () => {
  for (const context of ['chatgpt', 'codex', 'oaicompat-agent']) {
    test(`has only plain types in the context ${context}`, async () => {
      const raw = await listedIn(context);
      const listed = z.array(Listed).parse(raw);
      expect(listed.map(({ name }) => name)).toEqual(registry.map(({ name }) => name));
      for (const { inputSchema } of listed) {
        for (const property of Object.values(inputSchema.properties)) {
          if (property.type === 'number') expect(property.multipleOf).toBe(1);
          expect(Object.keys(property).includes('items')).toBe(property.type === 'array');
          expect(property.default).not.toBeNull();
        }
        for (const word of ['"integer"', '"null"', '"anyOf"', ':null', 'nullable']) {
          expect(JSON.stringify(inputSchema)).not.toContain(word);
        }
      }
    });
  }

  test('equals the pinned schemas in other contexts', async () => {
    expect(JSON.stringify(await listedIn('codex-like'))).toContain('"integer"');
  });
});
