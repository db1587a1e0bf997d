import { expect, test } from 'bun:test';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { clients } from '../../src/cli/setup/clients.ts';
import { whyNoNamespaces, withoutRouteAndDaemons } from '../support/no-route.ts';
import { installRealClient, type RealClient, realClients } from '../support/real-clients.ts';
import { rounds } from '../support/rounds.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const End = z.object({ code: z.number().nullable(), output: z.string() });
const Scene = z.object({
  ...{ setup: End, skill: End, hooks: End, agents: End, subagent: End, listed: End, asked: End, removed: End },
  ...{ withoutSection: End, relisted: End, hasSection: z.boolean(), hasSubagent: z.boolean() },
  changed: z.array(z.string()),
  tools: z.array(z.string()),
  results: z.array(z.string()),
  longResults: z.array(z.string()),
  loaded: z.array(z.string()),
  hasHooks: z.boolean(),
  isReminded: z.boolean(),
  hasSkill: z.boolean(),
});

/** Installed before the tests are declared, so that a client that cannot be had is skipped with the reason. */
async function findProgram(client: RealClient): Promise<{ path: string } | { whyNot: string }> {
  if (process.platform !== 'linux') return { whyNot: 'only the packages for Linux are known here' };
  const whyNot = whyNoNamespaces();
  if (whyNot !== undefined) return { whyNot };
  try {
    return { path: await installRealClient(client) };
  } catch (error) {
    return { whyNot: String(error).split('\n').slice(0, 2).join(' ') };
  }
}

/** So much code that an answer with all of it is cut. */
const handlers = Array.from(
  { length: 1500 },
  (_, index) => `export function handler${index}() {\n  return ${index};\n}\n`,
).join('\n');

/** Plays the scene where only loopback can be reached, and where nothing that the client starts outlives it. */
async function play(client: RealClient, path: string): Promise<z.infer<typeof Scene>> {
  await using project = makeWorkspace({
    'basket.ts': 'export class Basket {\n  total = 1;\n}\n',
    '.serena/project.yml': '',
    ...(client.cutsResults ? { 'handlers.ts': handlers } : {}),
  });
  const script = join(import.meta.dir, 'scene.ts');
  const arguments_ = ['--no-install', script, client.id, path, makeTempDir('client-home'), project.root];
  const [command = '', ...args] = [...withoutRouteAndDaemons, process.execPath, ...arguments_];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`The scene of ${client.id} ended with ${code}\n${output}`);
  return Scene.parse(JSON.parse(output));
}

/** The tools that are never deferred. */
const firstTools = [
  'explore_symbol',
  'find_referencing_symbols',
  'find_symbol',
  'get_symbols_overview',
  'rename_symbol',
].map((name) => `mcp__serena__${name}`);

const exitCodes = ({ setup, skill, hooks, agents, subagent, ...others }: z.infer<typeof Scene>) => {
  const { listed, asked, removed, withoutSection, relisted } = others;
  return [setup, skill, hooks, agents, subagent, listed, asked, removed, withoutSection, relisted].map(
    ({ code }) => code,
  );
};

/** The most used clients; a whole run has all. */
const usual = ['claude-code', 'codex', 'gemini', 'opencode', 'qwen-code'];

for (const client of realClients.filter(({ id }) => rounds(usual.includes(id), true))) {
  const found = await findProgram(client);
  const [path, whyNot] = 'path' in found ? [found.path] : ['', found.whyNot];
  testUnless(whyNot)(
    `${client.id} ${client.version} starts the server, gets its answer, and is as before after --remove`,
    async () => {
      const scene = await play(client, path);
      // The output explains a failure.
      expect([exitCodes(scene), scene.asked.output]).toEqual([Array(10).fill(0), expect.any(String)]);
      expect(scene.listed.output).toMatch(new RegExp(`^${client.id} +set up `, 'm'));
      if (client.lists) expect(scene.asked.output).toMatch(client.lists);
      else {
        expect(scene.tools.filter((name) => /(find_symbol|initial_instructions)$/.test(name))).toHaveLength(2);
        // Once: some clients show the model the text of a result and its structured content.
        expect(scene.results.join('\n').match(/Class Basket/g), scene.asked.output).toEqual(['Class Basket']);
      }
      // Of the answer with the usual length the model sees all, of a longer one the beginning.
      expect(scene.longResults.map((text) => /Full output saved to/.test(text))).toEqual(
        client.cutsResults ? [false, true] : [],
      );
      for (const text of scene.longResults) expect(text.slice(0, 1000) + text.slice(-1000)).toContain('`cursor`');
      expect(scene.loaded.toSorted()).toEqual(client.defersTools ? firstTools : []);
      expect([scene.hasHooks, scene.isReminded]).toEqual([client.search !== undefined, client.search !== undefined]);
      expect(scene.hasSkill).toBe(client.showsSkill);
      const product = clients.find(({ id }) => id === client.id);
      if (!client.lists) {
        expect([scene.hasSection, scene.hasSubagent]).toEqual([
          ...[product?.instructions !== undefined, product?.subagents !== undefined],
        ]);
      }
      expect(scene.relisted.output).toMatch(new RegExp(`^${client.id} +not set up `, 'm'));
      expect(scene.changed).toEqual([...(client.rewrites ?? [])]);
    },
    600_000,
  );
}

test.skip('junie [skipped: its npm package downloads the program from elsewhere]', () => undefined);
test.skip('crush [skipped: its npm package downloads the program from elsewhere]', () => undefined);
test.skip('kiro [skipped: neither npm nor PyPI has it]', () => undefined);
