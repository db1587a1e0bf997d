// usage: bun test/stub-servers/reports-progress.ts
// Tells of some work in several steps before it is ready, as a server that reads a whole project does.
import { serveStub } from './stub.ts';

const steps = [
  { kind: 'begin', title: 'Reading', percentage: 0 },
  { kind: 'report', message: 'half of it', percentage: 50 },
  { kind: 'end', message: 'all of it' },
];

const rpc = serveStub({
  notifications: {
    initialized: () => {
      for (const value of steps) void rpc.sendNotification('$/progress', { token: 'reading', value });
    },
  },
});
