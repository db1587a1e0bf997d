import cliProgress, { type GenericFormatter } from 'cli-progress';

/** A bar on the terminal. */
export interface Bar {
  /** Shows `payload`, and how much of `total` is done; ignored once the bar has been stopped. */
  show(state: { readonly done?: number; readonly total?: number; readonly payload: object }): void;
  /** Removes the bar. */
  stop(): void;
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns a bar on stderr, as all of ours are. It goes with the first signal to end, before the work behind it has ended. */
export function makeBar(format: GenericFormatter, payload: object): Bar {
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format,
    clearOnComplete: true,
    // Signals are ours: what is half done is put away or stored before the program ends.
    gracefulExit: false,
    linewrap: false,
    barsize: 30,
  });
  let isStopped = false;
  const stop = () => {
    // A stopped bar would be drawn once more, and stay.
    if (isStopped) return;
    isStopped = true;
    bar.stop();
    for (const signal of endingSignals) process.off(signal, stop);
  };
  for (const signal of endingSignals) process.once(signal, stop);
  bar.start(0, 0, payload);
  return {
    show: (state) => {
      if (isStopped) return;
      if (state.total !== undefined) bar.setTotal(state.total);
      if (state.done === undefined) bar.update(state.payload);
      else bar.update(state.done, state.payload);
    },
    stop,
  };
}
