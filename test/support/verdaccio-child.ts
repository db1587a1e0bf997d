// usage: bun test/support/verdaccio-child.ts <verdaccio's main file> <config file> <http|https>
// Runs the npm registry Verdaccio on a free loopback port and prints the port; exits when its stdin ends.
import type { Server } from 'node:http';
import { z } from 'zod';

const Verdaccio = z.object({ runServer: z.custom<(config: string, options: object) => Promise<Server>>() });

const [main = '', config = '', protocol = ''] = process.argv.slice(2);
const { runServer } = Verdaccio.parse(await import(main));
// The address only selects TLS: this script listens itself, to let the system choose the port.
const server = await runServer(config, { listenArg: `${protocol}://127.0.0.1:4873` });
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`port ${address !== null && typeof address === 'object' ? address.port : 0}`);
});
process.stdin.on('end', () => process.exit(0)).resume();
