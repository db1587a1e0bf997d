import { type Command, InvalidArgumentError, Option } from 'commander';

/** Transport flags from the command line. */
export interface HttpFlags {
  readonly transport: 'stdio' | 'streamable-http' | 'sse';
  readonly host: string;
  readonly port: number;
  readonly allowedHost: readonly string[];
  readonly idleTimeout: number;
}

/** Adds the transport flags to a command; `parseSeconds` parses a number of seconds. */
export function addHttpFlags(command: Command, parseSeconds: (text: string) => number): Command {
  return command
    .addOption(
      new Option('--transport <kind>', 'transport to serve')
        .choices(['stdio', 'streamable-http', 'sse'])
        .default('stdio'),
    )
    .option(
      '--host <address>',
      'address to listen on for HTTP; any other than this machine requires a token',
      '127.0.0.1',
    )
    .option('--port <number>', 'port to listen on for HTTP; 0 picks a free one', parsePort, 8000)
    .addOption(
      new Option('--allowed-host <name...>', 'additional host name that HTTP clients may use').default([], 'none'),
    )
    .option(
      '--idle-timeout <seconds>',
      'close the session of an HTTP client that is silent for this long; 0 means never',
      parseSeconds,
      1800,
    );
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('it must be a number from 0 to 65535.');
}
