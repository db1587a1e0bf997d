import { programCommand } from './client.ts';
import { eventually } from './eventually.ts';
import { makeTempDir } from './temp.ts';

/** Our program running in its own terminal. */
export interface TerminalRun {
  /** Output on the terminal so far, stdout and stderr alike, with control sequences. */
  readonly screen: string;
  type(text: string): void;
  /** Sends a signal to the program. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
}

/** Starts our program in a terminal; `options` as for `runProgram()`. Unsupported on Windows. */
export function runInTerminal(
  args: readonly string[],
  options: { env?: Readonly<Record<string, string>>; cwd?: string } = {},
): TerminalRun {
  const home = makeTempDir('home');
  let screen = '';
  const decoder = new TextDecoder();
  const child = Bun.spawn([...programCommand(args)], {
    cwd: options.cwd ?? home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      SERENA_HOME: `${home}/.serena`,
      TERM: 'xterm',
      SERENA_SERVICE: 'off',
      ...options.env,
    },
    terminal: {
      cols: 120,
      rows: 30,
      data: (_terminal, data) => {
        screen += decoder.decode(data, { stream: true });
      },
    },
  });
  return {
    get screen() {
      return screen;
    },
    type: (text) => void child.terminal?.write(text),
    kill: (signal) => child.kill(signal),
    ended: child.exited,
  };
}

/** Waits until the terminal's output matches `pattern`. @throws {Error} with the output after 20 s. */
export async function untilShown(run: TerminalRun, pattern: RegExp): Promise<void> {
  await eventually(
    String(pattern),
    () => {
      if (pattern.test(run.screen)) return true;
      throw new Error(run.screen);
    },
    20_000,
  );
}
