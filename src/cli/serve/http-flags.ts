import { type Command, InvalidArgumentError, Option } from 'commander';

/** The flags that say how clients reach the server, as the command line gave them. */
export interface HttpFlags {
  readonly transport: 'stdio' | 'streamable-http' | 'sse';
  readonly host: string;
  readonly port: number;
  readonly allowedHost: readonly string[];
  readonly idleTimeout: number;
}

/** Adds the flags that say how clients reach the server; `parseSeconds` reads a number of seconds. */
export function addHttpFlags(command: Command, parseSeconds: (text: string) => number): Command {
  return command
    .addOption(
      new Option('--transport <kind>', 'how clients speak to us')
        .choices(['stdio', 'streamable-http', 'sse'])
        .default('stdio'),
    )
    .option('--host <address>', 'where to listen for HTTP; any but this machine needs a token', '127.0.0.1')
    .option('--port <number>', 'port to listen on for HTTP; 0 takes a free one', parsePort, 8000)
    .addOption(
      new Option('--allowed-host <name...>', 'further name under which HTTP clients know this machine').default(
        [],
        'none',
      ),
    )
    .option(
      '--idle-timeout <seconds>',
      'an HTTP client that is silent for so long is taken to be gone; 0 means never',
      parseSeconds,
      1800,
    );
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a number from 0 to 65535.');
}
