import type { ScriptEnd } from '../sandbox/script-protocol.ts';
import type { ScriptHost, ScriptSandbox } from '../sandbox/script-sandbox.ts';

/** Runs the scripts of one session; what runs them is loaded with the first script. */
export class SessionScripts {
  #sandbox: Promise<ScriptSandbox> | undefined;

  /** See `ScriptSandbox.run`. */
  async run(source: string, host: ScriptHost): Promise<ScriptEnd> {
    this.#sandbox ??= import('../sandbox/script-sandbox.ts').then((module) => new module.ScriptSandbox());
    return await (await this.#sandbox).run(source, host);
  }

  /** Ends the process of the scripts, if it runs. */
  async close(): Promise<void> {
    await (await this.#sandbox)?.close();
  }
}
