import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { inputSchema } from '../../scripts/support/input-schema.ts';
import { listedTool, schemaForOpenAi } from '../../src/mcp/tool-list.ts';
import { tools as registry } from '../../src/tools/tools.ts';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';

const whole = { type: 'number', multipleOf: 1 };

/** Returns the schema of a tool with the parameter `value`, as OpenAI's clients receive it. */
function listedAs(type: z.ZodType) {
  return schemaForOpenAi(inputSchema(z.object({ value: type })));
}

describe('schemaForOpenAi()', () => {
  const cases: { what: string; from: z.ZodType; to: Record<string, unknown> }[] = [
    { what: 'an integer', from: z.int().default(3), to: { ...whole, default: 3 } },
    { what: 'an integer with steps', from: z.int().multipleOf(5), to: { type: 'number', multipleOf: 5 } },
    { what: 'a number', from: z.number().min(0), to: { type: 'number', minimum: 0 } },
    { what: 'a type or null', from: z.string().nullable().default(null), to: { type: 'string' } },
    { what: 'an integer or null', from: z.int().nullable(), to: whole },
    {
      what: 'a default of a type or null',
      from: z.string().nullable().default('a'),
      to: { type: 'string', default: 'a' },
    },
    {
      what: 'a list or null, with its items',
      from: z.array(z.string()).nullable().default(null),
      to: { type: 'array', items: { type: 'string' } },
    },
    {
      what: 'an integer with a limit and a description, or null',
      from: z.int().min(2).nullable().describe('How many.'),
      to: { ...whole, minimum: 2, description: 'How many.' },
    },
    {
      what: 'a description of both the type and its union with null, of which that of the union wins',
      from: z.string().describe('Of the branch.').nullable().describe('Own.'),
      to: { description: 'Own.', type: 'string' },
    },
    {
      what: 'two types or null',
      from: z.union([z.int(), z.string()]).nullable(),
      to: { anyOf: [whole, { type: 'string' }] },
    },
    { what: 'integers in a list', from: z.array(z.int().nullable()), to: { type: 'array', items: whole } },
    {
      what: 'integers in an object',
      from: z.looseObject({ a: z.int(), b: z.record(z.string(), z.int()) }),
      to: {
        type: 'object',
        properties: {
          a: whole,
          b: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: whole },
        },
        required: ['a', 'b'],
        additionalProperties: {},
      },
    },
  ];
  test.each(cases)('rewrites $what', ({ from, to }) => {
    expect(listedAs(from).properties).toEqual({ value: { title: 'Value', ...to } });
  });

  test('changes nothing for other clients that list the same tool', () => {
    const [tool] = registry.filter(({ name }) => name === 'read_file');
    const options = {
      ...{ description: undefined, hasStructuredOutput: false, hasData: false, isCompact: false },
      ...{ hasToolHints: false, isAlwaysLoaded: false },
    };
    if (tool === undefined) throw new Error('read_file is missing');
    const before = JSON.stringify(listedTool(tool, { ...options, hasOpenAiSchema: false }));
    expect(JSON.stringify(listedTool(tool, { ...options, hasOpenAiSchema: true }))).toContain('multipleOf');
    expect(JSON.stringify(listedTool(tool, { ...options, hasOpenAiSchema: false }))).toBe(before);
  });
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
