import { within } from '../base/deadline.ts';
import { ExpectedError, messageOf } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { runShell } from '../base/process/run-shell.ts';
import { warnUntrusted } from '../config/trust.ts';
import type { Project } from '../project/project.ts';

/**
 * The `activation_command` of a trusted project, such as one that fetches the dependencies that its language servers
 * need. It runs once while the project is open.
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

  /** Starts the command unless it was started before. A failure is only logged. */
  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves once the command has ended, or at once if it was never started; rejects with the reason of `signal`. */
  async finished(signal: AbortSignal): Promise<void> {
    if (this.#running) await within(this.#running, { signal, onTimeout: () => new Error('There is no time limit') });
  }

  /** Stops the command if it is running. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new ExpectedError('tool.cancelled', 'the project is being closed'));
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
      const write = returnCode === 0 ? log('session').info : log('session').warn;
      write(`The activation command of ${root} exited with code ${returnCode}${output === '' ? '' : `:\n${output}`}`);
    } catch (error) {
      const reason =
        signal.aborted && !this.#closing.signal.aborted
          ? `it did not end within ${activationTimeoutMs / 1000} s`
          : messageOf(error);
      log('session').warn(`The activation command of ${root} was stopped: ${reason}`);
    }
  }
}
