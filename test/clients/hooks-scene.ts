// usage: bun hooks-scene.ts <client> <path of its program> <home directory> <project>
// Runs `serena setup --hooks`, lets a scripted model search and write files with errors through the client's own tools, and
// prints which of the hooks' texts the model got, as JSON.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programCommand } from '../support/client.ts';
import { realClients } from '../support/real-clients.ts';
import { ScriptedModel } from '../support/scripted-model.ts';
import { runCommand } from './run-command.ts';

const [id, path = '', home = '', project = ''] = process.argv.slice(2);
const client = realClients.find((candidate) => candidate.id === id);
if (client?.search === undefined || client.edit === undefined) throw new Error(`No hooks: ${id}`);

await using model = new ScriptedModel(client.search);
const bin = join(home, 'bin');
mkdirSync(bin);
symlinkSync(path, join(bin, client.name));
const env = { ...process.env, HOME: home, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1', ...client.env(model.url) };
for (const [file, text] of Object.entries(client.files?.(model.url) ?? {})) {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
}

const run = async (command: string, args: readonly string[], input?: string) =>
  (await runCommand(command, args, { cwd: project, env, input })).output;

const serena = (...args: string[]) => {
  const [command, ...all] = programCommand(args);
  return run(command, all);
};

const outputs = [await serena('setup', client.id), await serena('setup', client.id, '--hooks')];
// Hooks have no time to start a server.
await serena('refs', 'shop.py#Basket');
const allowed = client.id === 'claude-code' ? ['--allowedTools', 'Bash,Write'] : [];
const ask = async () => {
  model.bodies.length = 0;
  const args = client.id === 'claude-code' ? ['-p', 'Do it', ...allowed] : client.ask;
  outputs.push(await run(client.name, args, client.input));
  return JSON.stringify(model.bodies);
};

/** On a busy machine a hook may have too little time. */
const attempts = 3;
let [names, facts, verify] = [false, false, false];
for (let attempt = 0; attempt < attempts && !names; attempt++) {
  model.play(client.search);
  names = (await ask()).includes('Serena knows which symbol');
}
for (let attempt = 0; attempt < attempts && !(facts && verify); attempt++) {
  model.play(client.edit(join(project, `new${attempt}.py`), `from shop import Missing${attempt}\n`));
  const seen = await ask();
  facts ||= seen.includes('Serena: since the last commit');
  verify ||= seen.includes('Before you end: the changes since the last commit break something');
}
process.stdout.write(JSON.stringify({ names, facts, verify, outputs }));
