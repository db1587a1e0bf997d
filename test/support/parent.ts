// usage: bun test/support/parent.ts <program> [arg…]
// Starts the program with pipes, as an MCP client does, opens a project's files with it and waits to be killed.
// Each line it is given on stdin goes to the program; what the program answers goes to stdout.
import { spawn } from 'node:child_process';

const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.once('exit', () => process.exit(0));
