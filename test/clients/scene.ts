// usage: bun scene.ts <client> <path of its program>
// Plays one scene and prints what happened as JSON: `serena setup`, one prompt to the client with a scripted model, and
// `serena setup --remove`. Runs where there is no network besides loopback, which is why the model is in this process.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { clients } from '../../src/cli/setup/clients.ts';
import { programCommand } from '../support/client.ts';
import { realClients } from '../support/real-clients.ts';
import { ScriptedModel } from '../support/scripted-model.ts';
import { runCommand } from './run-command.ts';

const [id, path = '', home = '', project = ''] = process.argv.slice(2);
const client = realClients.find((candidate) => candidate.id === id);
if (client === undefined) throw new Error(`Unknown client: ${id}`);

await using model = new ScriptedModel({ tool: 'find_symbol', args: { name_path_pattern: 'Basket' } });
const bin = join(home, 'bin');
mkdirSync(bin);
symlinkSync(path, join(bin, client.name));
const env = { HOME: home, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1', ...client.env(model.url) };

const run = (command: string, args: readonly string[], input?: string, more: Readonly<Record<string, string>> = {}) =>
  runCommand(command, args, { cwd: project, env: { ...env, ...more }, input });

const serena = (...args: string[]) => {
  const [command, ...all] = programCommand(args);
  return run(command, all);
};

const files = client.files?.(model.url) ?? {};
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
}
const setup = await serena('setup', client.id);
const skill = await serena('setup', client.id, '--skill');
const hooks = client.search ? await serena('setup', client.id, '--hooks', '--remind') : { code: 0, output: '' };
const product = clients.find((candidate) => candidate.id === id);
const agents = product?.instructions ? await serena('setup', client.id, '--agents') : { code: 0, output: '' };
const subagent = product?.subagents ? await serena('setup', client.id, '--subagent') : { code: 0, output: '' };
const listed = await serena('setup');
for (const args of client.prepare?.(model.url) ?? []) await run(client.name, args);
let asked = await run(client.name, client.ask, client.input);
// On a busy machine a client may stop to wait for the server and ask the model without its tools.
for (let attempt = 1; attempt < 3 && model.tools.size > 0 && model.results.length === 0; attempt++) {
  asked = await run(client.name, client.ask, client.input);
}
const { tools, results } = { tools: [...model.tools], results: [...model.results] };
const longResults: string[] = [];
for (const limit of client.cutsResults ? [-1, 60_000] : []) {
  const args = { name_path_pattern: 'handler', substring_matching: true, include_body: true, max_answer_chars: limit };
  model.play({ tool: 'find_symbol', args });
  await run(client.name, client.ask, client.input);
  longResults.push(...model.results);
}
const asks = model.bodies.length;
if (client.defersTools !== undefined) {
  model.play({ tool: 'find_symbol', args: { name_path_pattern: 'Basket' } });
  await run(client.name, client.ask, client.input, client.defersTools);
}
/** Names of this server's tools that the model was shown with their parameters. */
const loaded = model.bodies
  .slice(asks)
  .flatMap(({ tools: offered }) =>
    (Array.isArray(offered) ? offered : [])
      .filter(({ name, defer_loading }) => /serena/.test(name) && defer_loading !== true)
      .map(({ name }) => String(name)),
  );
if (client.search !== undefined) {
  model.play({ ...client.search, times: 3 });
  await run(client.name, client.ask, client.input);
}
const removed = await serena('setup', '--remove', client.id);
const withoutSection = product?.instructions
  ? await serena('setup', '--remove', client.id, '--agents')
  : { code: 0, output: '' };
const relisted = await serena('setup');
const changed = Object.entries(files).filter(([file, text]) => readFileSync(join(home, file), 'utf8') !== text);

process.stdout.write(
  JSON.stringify({
    ...{ setup, skill, hooks, agents, subagent, listed, asked, removed, withoutSection, relisted },
    changed: changed.map(([file]) => file),
    ...{ tools, results, longResults, loaded: [...new Set(loaded)] },
    isReminded:
      client.search !== undefined && model.results.some((text) => text.includes('searched source code several')),
    hasHooks: JSON.stringify(model.bodies).includes('Serena has tools that find, read and edit code by symbol.'),
    hasSection: JSON.stringify(model.bodies).includes('Serena knows what names mean.'),
    hasSubagent: JSON.stringify(model.bodies).includes('Answers questions about code without changing it'),
    hasSkill: JSON.stringify(model.bodies).includes('with the serena command line'),
  }),
);
