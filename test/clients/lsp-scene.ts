// usage: bun lsp-scene.ts <path of Claude Code> <home directory> <project>
// Runs `serena setup claude-code --lsp`, lets a scripted model call the client's own LSP tool and write a file with an
// error, and prints what the model got as JSON.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { programCommand } from '../support/client.ts';
import { realClients } from '../support/real-clients.ts';
import { ScriptedModel } from '../support/scripted-model.ts';

const [claude = '', home = '', project = ''] = process.argv.slice(2);
const client = realClients.find(({ id }) => id === 'claude-code');

function lspCall(file: string, character: number) {
  const args = { operation: 'findReferences', filePath: join(project, file), line: 1, character };
  return { tool: 'LSP', args };
}

await using model = new ScriptedModel(lspCall('a.py', 5));
const env = { HOME: home, PATH: process.env.PATH ?? '', NO_COLOR: '1', ...process.env, ...client?.env(model.url) };

/** Runs a command to its end and returns its output. */
function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: project,
      env: { ...env, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('exit', () => resolve(output));
  });
}

const [command, ...args] = programCommand(['setup', 'claude-code', '--lsp']);
const setup = await run(command, args);
const ask = () => run(claude, ['-p', 'Find it', '--allowedTools', 'LSP,Write']);
const results: string[] = [];
const asked = [await ask()];
results.push(...model.results);
model.play(lspCall('c.ts', 17));
asked.push(await ask());
results.push(...model.results);
const content = 'from a import one\n\nmissing_name\none()\n';
// The problems reach the model with a later request, unless the file is written again before.
const write = { tool: 'Write', args: { file_path: join(project, 'e.py'), content } };
model.play({ ...write, followedBy: lspCall('c.ts', 17), thinksMs: 8_000 });
asked.push(await ask());
const hasProblem = JSON.stringify(model.bodies).includes('is not defined');
const [remove, ...removing] = programCommand(['setup', '--remove', 'claude-code']);
const removed = await run(remove, removing);
process.stdout.write(JSON.stringify({ setup, asked, results, hasProblem, removed }));
