import { within } from '../base/deadline.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { runShell } from '../base/process/run-shell.ts';
import { warnUntrusted } from '../config/trust.ts';
import type { Project } from '../project/project.ts';

/**
 * The command that a trusted project asks to be run when it is activated, such as one that fetches what its language
 * servers need. Run once while the project is open.
 */
export class ActivationCommand {
  readonly #project: Project;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(project: Project, env: Readonly<Record<string, string | undefined>>) {
    this.#project = project;
    this.#env = env;
  }

  /** Begins it unless it was begun; a failure is told in the log only. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves once it is over, if it was begun; rejects with the reason of `signal`. */
  async finished(signal: AbortSignal): Promise<void> {
    if (this.#running) await within(this.#running, { signal, onTimeout: () => new Error('There is no time limit') });
  }

  /** Ends it if it runs. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new ExpectedError('tool.cancelled', 'The project is being closed'));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { root, config, isTrusted } = this.#project;
    const { activationCommand: command, activationTimeoutMs } = config;
    if (command === undefined || command.trim() === '') return;
    if (!isTrusted) {
      warnUntrusted('`activation_command`', config.path);
      return;
    }
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(activationTimeoutMs)]);
    log('session').info(`Running the activation command of ${root}: ${command}`);
    try {
      const { returnCode, stdout, stderr } = await runShell(command, {
        ...{ cwd: root, env: this.#env, capturesStderr: true, signal },
      });
      const output = `${stdout.text}${stderr?.text ?? ''}`.trim();
      const say = returnCode === 0 ? log('session').info : log('session').warn;
      say(`The activation command of ${root} ended with ${returnCode}${output === '' ? '' : `:\n${output}`}`);
    } catch (error) {
      const reason = signal.aborted && !this.#closing.signal.aborted ? 'it took too long' : messageOf(error);
      log('session').warn(`The activation command of ${root} was given up: ${reason}`);
    }
  }
}
