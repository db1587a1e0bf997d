// usage: bun test/stub-servers/well-behaved.ts
// Has no fault: for tests that are not about the server.
import { serveStub } from './stub.ts';

serveStub();
