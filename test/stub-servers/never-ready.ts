// usage: bun test/stub-servers/never-ready.ts
// Never says that it has read the project, as a server does that is lost in a huge one; answers all the same.
import { serveStub } from './stub.ts';

serveStub({ isNeverReady: true });
