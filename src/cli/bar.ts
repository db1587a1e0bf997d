import cliProgress, { type GenericFormatter } from 'cli-progress';

/** A progress bar on the terminal. */
export interface Bar {
  /** Shows `payload` and how much of `total` is done. Ignored after `stop()`. */
  show(state: { readonly done?: number; readonly total?: number; readonly payload: object }): void;
  /** Removes the bar. */
  stop(): void;
}

const terminationSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns a progress bar on stderr. The first termination signal removes it, even if the work has not ended yet. */
export function makeBar(format: GenericFormatter, payload: object): Bar {
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format,
    clearOnComplete: true,
    // This program handles signals itself: it saves or cleans up unfinished work before it exits.
    gracefulExit: false,
    linewrap: false,
    barsize: 30,
  });
  let isStopped = false;
  const stop = () => {
    // Stopping the library's bar a second time would draw it again and leave it there.
    if (isStopped) return;
    isStopped = true;
    bar.stop();
    for (const signal of terminationSignals) process.off(signal, stop);
  };
  for (const signal of terminationSignals) process.once(signal, stop);
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
