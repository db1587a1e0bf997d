// usage: bun test/stub-servers/exits-during-shutdown.ts
// Is gone before it has answered `shutdown`.
import { serveStub } from './stub.ts';

serveStub({ requests: { shutdown: () => process.exit(4) } });
