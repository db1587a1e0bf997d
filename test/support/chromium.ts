import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { findProgram } from '../../src/base/process/find-program.ts';
import { eventually } from './eventually.ts';
import { makeTempDir } from './temp.ts';

const program = ['chromium', 'chromium-browser', 'google-chrome'].flatMap(
  (name) => findProgram(name, process.env) ?? [],
)[0];

/** Why no browser can be tested here, or `undefined`. */
export const whyNoChromium = program === undefined ? '`chromium` is not installed' : undefined;

const Message = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
const Target = z.array(z.looseObject({ type: z.string(), webSocketDebuggerUrl: z.string() }));
const Evaluated = z.looseObject({
  result: z.looseObject({ value: z.unknown().optional() }),
  exceptionDetails: z.unknown().optional(),
});

type Params = Readonly<Record<string, unknown>>;

/** A page of a headless Chromium of its own, controlled by the DevTools protocol. */
export class BrowserPage {
  /** What the browser has reported: errors of scripts, and what the content security policy has blocked. */
  readonly problems: string[] = [];
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, PromiseWithResolvers<Params>>();
  readonly #end: () => Promise<void>;
  #requests = 0;

  private constructor(socket: WebSocket, end: () => Promise<void>) {
    this.#socket = socket;
    this.#end = end;
    socket.addEventListener('message', ({ data }) => this.#take(Message.parse(JSON.parse(String(data)))));
  }

  static async start(): Promise<BrowserPage> {
    const profile = makeTempDir('chromium');
    const flags = [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      '--hide-scrollbars',
    ];
    const child = spawn(
      program ?? '',
      [...flags, '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
      { stdio: 'ignore', env: { ...process.env, HOME: profile } },
    );
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const end = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    // The file is empty for a moment.
    const debuggerUrl = await eventually('a page of Chromium', async () => {
      const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
      const targets = Target.parse(await (await fetch(`http://127.0.0.1:${port}/json`)).json());
      return targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl;
    }).catch(async (error) => {
      await end();
      throw error;
    });
    const socket = new WebSocket(debuggerUrl);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const page = new BrowserPage(socket, end);
    for (const domain of ['Page', 'Runtime', 'Log']) await page.send(`${domain}.enable`);
    return page;
  }

  send(method: string, params: Params = {}): Promise<Params> {
    const id = ++this.#requests;
    const pending = Promise.withResolvers<Params>();
    this.#pending.set(id, pending);
    this.#socket.send(JSON.stringify({ id, method, params }));
    return pending.promise;
  }

  async open(url: string): Promise<void> {
    await this.send('Page.navigate', { url });
  }

  /** Returns the value of an expression in the page. @throws {Error} if it throws. */
  async evaluate(expression: string): Promise<unknown> {
    const sent = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = Evaluated.parse(await this.send('Runtime.evaluate', sent));
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return result.value;
  }

  /** Waits until an expression in the page is true. */
  async until(expression: string): Promise<void> {
    await eventually(expression, async () => (await this.evaluate(expression)) === true);
  }

  async press(key: string): Promise<void> {
    const text = key === 'Enter' ? { text: '\r' } : {};
    const code = { Tab: 9, Enter: 13 }[key] ?? 0;
    for (const type of ['keyDown', 'keyUp'])
      await this.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode: code, ...text });
  }

  /** Uses a color scheme and a width. */
  async look({ scheme, width }: { scheme: 'light' | 'dark'; width: number }): Promise<void> {
    await this.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
    const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
    await this.send('Emulation.setDeviceMetricsOverride', size);
  }

  /** Writes a picture of the whole page to an absolute path. */
  async screenshot(path: string): Promise<void> {
    const { data } = await this.send('Page.captureScreenshot', { captureBeyondViewport: true });
    writeFileSync(path, Buffer.from(String(data), 'base64'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await this.#end();
  }

  #take({ id, method, params, result, error }: z.infer<typeof Message>): void {
    if (method === 'Runtime.exceptionThrown' || method === 'Log.entryAdded') this.problems.push(JSON.stringify(params));
    const pending = this.#pending.get(id ?? 0);
    if (error === undefined) pending?.resolve(result ?? {});
    else pending?.reject(new Error(error.message));
  }
}
