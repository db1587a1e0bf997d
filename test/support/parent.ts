// usage: bun test/support/parent.ts <program> [arg…]
// Starts the program with pipes, as an MCP client does, and waits to be killed. Passes each line of its stdin on to the
// program, and the program's stdout on to its own stdout.
import { spawn } from 'node:child_process';

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.once('exit', () => process.exit(0));
