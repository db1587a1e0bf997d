// usage: bun test/stub-servers/never-initializes.ts
// Runs, but never answers `initialize`.
import { serveStub } from './stub.ts';

serveStub({ requests: { initialize: () => new Promise(() => undefined) } });
