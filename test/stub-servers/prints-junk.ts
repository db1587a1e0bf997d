// usage: bun test/stub-servers/prints-junk.ts
// Prints a line that is not a message to stdout at the start and before every message, as a careless wrapper script
// does.
import { outputThrough, serveStub } from './stub.ts';

const headers = /^Content-Length:/;

process.stdout.write('Welcome to the stub, version 1\nnode: warning: something is deprecated\n');
serveStub({
  output: outputThrough((chunk) => {
    if (headers.test(chunk.toString('utf8'))) process.stdout.write('debug: about to answer\n');
    process.stdout.write(chunk);
  }),
});
