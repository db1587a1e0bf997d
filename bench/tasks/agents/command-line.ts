import { run } from '../../../scripts/support/run.ts';
import { benchBinary, benchHome } from '../../speed/ours.ts';
import type { AnsweredPosition } from '../../symbols/model.ts';
import { hashOfFile } from '../../symbols/running/hash-of-file.ts';
import { installServer } from '../../symbols/running/install-server.ts';
import type { Agent, SignatureTaskChange, Task, Work } from '../model.ts';
import { Recorder } from './recorder.ts';

/** Exit codes of the command line: see `serena help exit-codes`. */
const claims = new Map<number, Work['claim']>([
  [0, 'done'],
  [3, 'open'],
]);

/** A build of the product. */
interface Product {
  /** Absolute path of the program. */
  readonly binary: string;
  /** Variables that it needs: its home. */
  readonly env: Readonly<Record<string, string>>;
  /** Makes it ready for packages that need this language server. */
  install(serverId: string): Promise<void>;
}

const benchProduct: Product = { binary: benchBinary, env: { SERENA_HOME: benchHome }, install: installServer };

/** Returns the agent that uses the product's command line: one call for a task. */
export const commandLineAgent = (product = benchProduct): Agent => ({
  name: 'this product',
  note:
    'One call of `serena rename`, `delete`, `move`, `move-file` or `signature`. A list: `refs`, and `implementations` if ' +
    'others override the symbol. It repeats a call only with what the answer suggests: a name path if several symbols ' +
    'match, or `--re-export`. It then believes the exit code and the answer.',
  version: () => hashOfFile(product.binary),

  async work({ task, pack, directory }) {
    await product.install(pack.serverId);
    const recorder = new Recorder();
    const asker = { product, recorder, directory };
    const answers: Answer[] = [];
    for (const args of commandsOf(task)) answers.push(await ask(asker, args));
    const worst = Math.max(...answers.map(({ exitCode }) => exitCode));
    const said = answers.map(({ output }) => output).join('\n');
    const work = recorder.work(claims.get(worst) ?? 'refused', said);
    return task.kind === 'affected' ? { ...work, places: answers.flatMap(placesIn) } : work;
  },
});

function commandsOf(task: Task): string[][] {
  if (task.kind === 'move file') return [['move-file', task.file, task.to]];
  const address = task.symbol.replace('#', '#/');
  if (task.kind === 'rename') return [['rename', address, task.newName]];
  if (task.kind === 'delete') return [['delete', address]];
  if (task.kind === 'signature') return [['signature', address, ...optionsOf(task.change)]];
  if (task.kind === 'move') return [['move', address, task.to]];
  return [['refs', address], ...(task.isOverridden ? [['implementations', address]] : [])];
}

function optionsOf(change: SignatureTaskChange): string[] {
  if ('order' in change) return ['--order', change.order.join(',')];
  if ('add' in change) return ['--add', change.add, '--value', change.value];
  return ['--rename', `${change.rename}=${change.to}`];
}

interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  /** Everything that it printed. */
  readonly output: string;
}

interface Asker {
  readonly product: Product;
  readonly recorder: Recorder;
  readonly directory: string;
}

async function ask(asker: Asker, args: readonly string[]): Promise<Answer> {
  const first = await call(asker, args);
  // Of overloads the answer names one that means them all.
  const named = /such as `([^`]+)`/.exec(first.output)?.[1];
  const option = /^hint: add `(--re-export)`/m.exec(first.output)?.[1];
  const [command = '', address = '', ...others] = args;
  if (named !== undefined) return call(asker, [command, named, ...others]);
  return option === undefined ? first : call(asker, [command, address, ...others, option]);
}

async function call({ product, recorder, directory }: Asker, args: readonly string[]): Promise<Answer> {
  const options = { cwd: directory, env: { SERENA_SERVICE: 'off', ...product.env } };
  const { exitCode, stdout, stderr } = await run(product.binary, [...args, '--project', directory], options);
  const output = stdout + stderr;
  // Where the program and the project are is the benchmark's business.
  recorder.record(['serena', ...args].join(' '), output);
  return { exitCode, stdout, output };
}

/** Returns the places at the beginnings of lines. */
function placesIn({ stdout }: Answer): AnsweredPosition[] {
  return [...stdout.matchAll(/^([^\s:][^:\n]*):(\d+):/gm)].map(([, file = '', number]) => {
    return { file, line: Number(number) - 1, column: 0 };
  });
}
