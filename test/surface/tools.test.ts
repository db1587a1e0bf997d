import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { z } from 'zod';
import { tools as registry } from '../../src/tools/tools.ts';
import { startClient, type TestClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { listPins, pinned } from '../support/pins.ts';

const Branch = z.strictObject({ type: z.string(), items: z.strictObject({ type: z.string() }).optional() });
const Property = z.strictObject({
  title: z.string(),
  description: z.string(),
  default: z.unknown().optional(),
  type: z.string().optional(),
  items: z.strictObject({ type: z.string() }).optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.tuple([Branch, z.strictObject({ type: z.literal('null') })]).optional(),
});
const Listed = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.strictObject({
    type: z.literal('object'),
    title: z.literal('applyArguments'),
    properties: z.record(z.string(), Property),
    required: z.array(z.string()).min(1).optional(),
  }),
  outputSchema: z.strictObject({
    type: z.literal('object'),
    title: z.literal('applyOutput'),
    properties: z.strictObject({ result: z.strictObject({ title: z.literal('Result'), type: z.literal('string') }) }),
    required: z.tuple([z.literal('result')]),
  }),
  annotations: z.strictObject({ title: z.string(), readOnlyHint: z.boolean(), destructiveHint: z.boolean() }),
});

const titleOf = (name: string) =>
  name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

let client: TestClient;
let raw: readonly { readonly name: string }[];
let listed: z.infer<typeof Listed>[];

beforeAll(async () => {
  // The base mode `editing` leaves tools out.
  const everything = { base_modes: [], included_optional_tools: registry.map((tool) => tool.name) };
  client = await startClient({ env: { SERENA_HOME: makeHome(everything) } });
  raw = await client.tools();
  listed = z.array(Listed).parse(raw);
});

afterAll(() => client.close());

describe('tools/list', () => {
  test('lists the registry, in its order', () => {
    expect(listed.map(({ name }) => name)).toEqual(registry.map(({ name }) => name));
  });

  test('says what the pins say, tool by tool', () => {
    for (const tool of raw) {
      const found = `${JSON.stringify(tool, undefined, 2)}\n`;
      expect(found).toBe(pinned(`tools/${tool.name}.json`, found));
    }
    expect(listPins('tools')).toEqual(raw.map(({ name }) => `${name}.json`).sort());
  });

  test('titles every tool and parameter after its name', () => {
    for (const { name, title, annotations, inputSchema } of listed) {
      expect([title, annotations.title]).toEqual([titleOf(name), titleOf(name)]);
      for (const [key, property] of Object.entries(inputSchema.properties)) expect(property.title).toBe(titleOf(key));
    }
  });

  test('gives every parameter a type, and a default unless it is required', () => {
    for (const { inputSchema } of listed) {
      for (const [key, { type, items, anyOf, ...property }] of Object.entries(inputSchema.properties)) {
        const own = anyOf?.[0] ?? { type, items };
        expect(['string', 'boolean', 'integer', 'array']).toContain(own.type ?? 'none');
        expect(own.items !== undefined).toBe(own.type === 'array');
        expect('default' in property).toBe(!(inputSchema.required ?? []).includes(key));
        if (anyOf !== undefined) expect(property.default).toBeNull();
      }
    }
  });

  test('ends every description with one full stop', () => {
    const descriptions = listed.flatMap(({ description, inputSchema }) => [
      description,
      ...Object.values(inputSchema.properties).map((property) => property.description),
    ]);
    for (const description of descriptions) expect(description).toMatch(/^[A-Z0-9].*[^.\s]\.$/s);
  });

  test('marks what changes something of the user, and nothing else', () => {
    const editing = listed.filter(({ annotations }) => annotations.destructiveHint).map(({ name }) => name);
    expect(editing).toEqual([
      'create_text_file',
      'replace_content',
      'replace_in_files',
      'delete_lines',
      'replace_lines',
      'insert_at_line',
    ]);
    for (const { annotations } of listed) expect(annotations.readOnlyHint).toBe(!annotations.destructiveHint);
  });

  test('leaves out names that are only accepted', () => {
    const aliases = registry.flatMap((tool) => Object.keys(tool.aliases).map((alias) => [tool.name, alias] as const));
    expect(aliases.length).toBeGreaterThan(0);
    for (const [name, alias] of aliases) {
      expect(Object.keys(listed.find((tool) => tool.name === name)?.inputSchema.properties ?? {})).not.toContain(alias);
    }
    expect(listed.some(({ name }) => name.startsWith('mcp__'))).toBe(false);
  });
});
