// usage: bun test/support/say-hello.ts <socket>
// Begins the handshake with the background service and writes its answer to stdout.
import { connect } from 'node:net';

const socket = connect(process.argv[2] ?? '');
socket.once('connect', () => socket.write(`${JSON.stringify({ hello: 1, nonce: 'n' })}\n`));
socket.once('data', (answer) => {
  process.stdout.write(answer);
  socket.end();
});
