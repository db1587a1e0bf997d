// usage: bun test/base/process/reaper-child.ts <stub>…
// Starts the stub servers through the LSP layer, prints their process ids on one line once all run, and keeps running.
import { startStub } from '../../lsp/stub.ts';

const stubs = await Promise.all(process.argv.slice(2).map((name) => startStub(name)));
console.log(stubs.map(({ server }) => server.pid).join(' '));
setInterval(() => undefined, 60_000);
