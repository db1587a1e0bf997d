// usage: bun test/stub-servers/never-shuts-down.ts
// Ignores `shutdown`, `exit`, the end of stdin and SIGTERM: only SIGKILL ends it.
import { serveStub } from './stub.ts';

process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 1_000);
serveStub({ isStubborn: true, requests: { shutdown: () => new Promise(() => undefined) } });
