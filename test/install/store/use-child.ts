// Installs the server that its argument describes (JSON of an `InstallRequest`), says so, and lives until its input ends.
import { once } from 'node:events';
import { ensureInstalled } from '../../../src/install/install.ts';

await ensureInstalled({ ...JSON.parse(process.argv[2] ?? ''), env: process.env });
console.log('held');
process.stdin.resume();
await once(process.stdin, 'end');
