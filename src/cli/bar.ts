import cliProgress, { type GenericFormatter, type SingleBar } from 'cli-progress';

/** Returns a bar on stderr, as all of ours are. */
export function makeBar(format: GenericFormatter): SingleBar {
  return new cliProgress.SingleBar({
    stream: process.stderr,
    format,
    clearOnComplete: true,
    // Signals are ours: what is half done is put away or stored before the program ends.
    gracefulExit: false,
    linewrap: false,
    barsize: 30,
  });
}
