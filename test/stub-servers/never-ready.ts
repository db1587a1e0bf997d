// usage: bun test/stub-servers/never-ready.ts
// Never reports that it has read the project, like a server in a huge project, but answers requests.
import { serveStub } from './stub.ts';

serveStub({ isNeverReady: true });
