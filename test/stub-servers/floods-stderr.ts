// usage: bun test/stub-servers/floods-stderr.ts [megabytes=8]
// Writes far more to stderr than a pipe holds, before and while it answers: a client that does not read stderr hangs.
import { argument, serveStub } from './stub.ts';

const line = `${'noise '.repeat(170)}\n`;
const flood = () => {
  for (let i = 0; i < Number(argument('megabytes', '8')) * 1024; i++) process.stderr.write(line);
};

flood();
serveStub({ notifications: { 'textDocument/didOpen': flood } });
