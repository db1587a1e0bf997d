// Installs the server in its argument (JSON of an `InstallRequest`), reports it, and lives until stdin ends.
import { once } from 'node:events';
import { ensureInstalled } from '../../../src/install/install.ts';

await ensureInstalled({ ...JSON.parse(process.argv[2] ?? ''), env: process.env });
console.log('held');
process.stdin.resume();
await once(process.stdin, 'end');
