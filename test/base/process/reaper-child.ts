// usage: bun test/base/process/reaper-child.ts <stub>…
// Starts the stubs through our LSP layer, prints a line with the servers' process ids once all run, and lives on.
import { startStub } from '../../lsp/stub.ts';

const stubs = await Promise.all(process.argv.slice(2).map((name) => startStub(name)));
console.log(stubs.map(({ server }) => server.pid).join(' '));
setInterval(() => undefined, 60_000);
