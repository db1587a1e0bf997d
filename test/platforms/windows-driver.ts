// usage: BUN_BE_BUN=1 serena.exe windows-driver.ts <project> <steps as JSON>
// Runs on Windows or under wine: starts the program as a client does, makes the calls, and prints their answers as JSON.
// Under wine the program can only read from a pipe that a Windows program made.
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A call of a tool, while the file `holding` of the project is open for `heldMs`. */
export interface Step {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly holding?: string;
  readonly heldMs?: number;
}

const [project = '', text = '[]'] = process.argv.slice(2);
const steps: readonly Step[] = JSON.parse(text);
const server = spawn(process.execPath, ['start-mcp-server', '--project', project], {
  stdio: ['pipe', 'pipe', 'inherit'],
  env: { ...process.env, BUN_BE_BUN: undefined },
});
const waiting = new Map<number, (answer: unknown) => void>();
createInterface({ input: server.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message.result ?? message.error);
});

function send(message: Readonly<Record<string, unknown>>): void {
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function ask(id: number, method: string, params: unknown): Promise<unknown> {
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    send({ id, method, params });
  });
}

const clientInfo = { name: 'windows-driver', version: '1' };
await ask(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
send({ method: 'notifications/initialized' });
const answers: unknown[] = [];
for (const [index, { tool, args, holding, heldMs = 0 }] of steps.entries()) {
  const held = holding === undefined ? undefined : openSync(join(project, holding), 'r');
  const startedAt = performance.now();
  const release = new Promise<void>((resolve) => {
    setTimeout(() => {
      if (held !== undefined) closeSync(held);
      resolve();
    }, heldMs);
  });
  const answer = await ask(index + 1, 'tools/call', { name: tool, arguments: args });
  answers.push({ answer, tookMs: performance.now() - startedAt });
  await release;
}
server.stdin.end();
process.stdout.write(`${JSON.stringify(answers)}\n`);
