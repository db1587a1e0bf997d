// usage: bun test/stub-servers/starts-daemons.ts
// Starts two daemons in their own sessions, one with the name of a Bloop server, and leaves them running.
import { spawn } from 'node:child_process';
import { serveStub } from './stub.ts';

for (const name of ['bloop.BloopServer', 'other.Daemon']) {
  const forever = ['-e', 'setInterval(() => {}, 60_000)', name];
  spawn(process.execPath, forever, { detached: true, stdio: 'ignore' }).unref();
}
serveStub();
