// usage: bun test/stub-servers/well-behaved.ts
// No fault at all: the stand-in for a server where the test is about something else.
import { serveStub } from './stub.ts';

serveStub();
