// usage: bun test/stub-servers/reports-progress.ts
// Reports work-done progress in several steps before it is ready, like a server that reads a whole project.
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
