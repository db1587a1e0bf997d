// usage: bun test/stub-servers/exits-during-shutdown.ts
// Exits instead of answering `shutdown`.
import { serveStub } from './stub.ts';

serveStub({ requests: { shutdown: () => process.exit(4) } });
