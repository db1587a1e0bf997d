import { createServer } from 'node:net';

/** Returns a loopback URL whose port nothing listens on. */
export async function closedPortUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/`;
}
