import { z } from 'zod';
import { run } from '../../../scripts/support/run.ts';
import type { AnsweredPosition } from '../../symbols/model.ts';
import type { Agent, SignatureTaskChange, Task, Work } from '../model.ts';

/** How a command-line agent with a model is run without questions, and how its stream of events is read. */
interface Program {
  readonly name: string;
  /** Arguments that make it print one JSON object a line; the prompt follows. */
  readonly args: readonly string[];
  /** Returns what an event says. */
  read(event: Readonly<Record<string, unknown>>): Said;
}

/** A part of what an agent wrote and read. */
interface Said {
  /** Commands and arguments of its calls. */
  readonly calls?: readonly string[];
  /** Results of calls. */
  readonly results?: readonly string[];
  readonly text?: string;
}

const timeoutMs = 1_800_000;

/** Command-line agents with a model. They work where the user has them, with the user's own settings. */
export const modelAgents: readonly Agent[] = [
  agentOf({
    name: 'claude',
    args: ['--print', '--verbose', '--output-format', 'stream-json', '--permission-mode', 'bypassPermissions'],
    read: readClaude,
  }),
  agentOf({
    name: 'codex',
    args: ['exec', '--json', '--skip-git-repo-check', '--sandbox', 'workspace-write'],
    read: readCodex,
  }),
  agentOf({ name: 'gemini', args: ['--yolo', '--output-format', 'stream-json', '--prompt'], read: readGemini }),
  agentOf({ name: 'opencode', args: ['run', '--format', 'json'], read: readOpenCode }),
];

function agentOf(program: Program): Agent {
  const { name } = program;
  return {
    name,
    note: `\`${[name, ...program.args].join(' ')}\` with the task in words.`,
    isPaid: true,

    async version() {
      const { stdout } = await run(name, ['--version']);
      return stdout.trim().split('\n').at(-1) ?? '';
    },

    async work({ task, directory }) {
      const startedAt = performance.now();
      const prompt = promptFor(task);
      const { stdout } = await run(name, [...program.args, prompt], { cwd: directory, timeoutMs });
      return { ...workOf(eventsIn(stdout).map(program.read), prompt), ms: performance.now() - startedAt };
    },
  };
}

const Event = z.record(z.string(), z.unknown());

function eventsIn(stdout: string): z.infer<typeof Event>[] {
  return stdout.split('\n').flatMap((line): z.infer<typeof Event>[] => {
    try {
      return [Event.parse(JSON.parse(line))];
    } catch {
      // Programs also print other text.
      return [];
    }
  });
}

/** Returns what an agent did, from what its events say. */
function workOf(all: readonly Said[], prompt: string): Omit<Work, 'ms'> {
  const lengthOf = (texts: readonly string[]) => texts.reduce((sum, { length }) => sum + length, 0);
  const calls = all.flatMap((one) => one.calls ?? []);
  const results = all.flatMap((one) => one.results ?? []);
  const lastCall = all.findLastIndex((one) => (one.calls ?? one.results ?? []).length > 0);
  // Some programs print a message in parts.
  const said = all
    .slice(lastCall + 1)
    .map(({ text = '' }) => text)
    .join('');
  return {
    claim: claimIn(said),
    said,
    places: placesIn(said),
    calls: calls.length,
    charsIn: lengthOf(calls) + said.length,
    charsOut: lengthOf(results) + prompt.length,
  };
}

function claimIn(said: string): Work['claim'] {
  const last = [...said.matchAll(/^\W*(DONE|OPEN|REFUSED)\b/gm)].at(-1)?.[1];
  return last === 'DONE' ? 'done' : last === 'REFUSED' ? 'refused' : 'open';
}

function placesIn(said: string): AnsweredPosition[] {
  return [...said.matchAll(/^[-*\s`]*([\w./-]+):(\d+)\b/gm)].map(([, file = '', line]) => ({
    file,
    line: Number(line) - 1,
    column: 0,
  }));
}

/** Returns a task in words. */
export function promptFor(task: Task): string {
  const end =
    'When you are finished, end with a line that says DONE if nothing is left to do, OPEN if something is left, after one ' +
    'line `path:line: why` for each place that is left, or REFUSED if you changed nothing because it would be wrong.';
  return `In the project in this directory: ${wordsFor(task)} Change nothing else. ${end}`;
}

function wordsFor(task: Task): string {
  if (task.kind === 'move file') {
    return `move the file ${task.file} to ${task.to}, and correct everything that refers to its old place.`;
  }
  const [file, namePath] = task.symbol.split('#');
  const symbol = `\`${namePath?.replaceAll('/', '.')}\` in ${file}`;
  if (task.kind === 'rename') {
    return `rename ${symbol} to \`${task.newName}\`, with everything that has to have the same name, and all uses.`;
  }
  if (task.kind === 'delete') return `delete ${symbol} if nothing uses it, also not by its name; otherwise leave it.`;
  if (task.kind === 'signature') {
    return `change the parameters of ${symbol}, with all that override or implement it, and all calls: ${changeIn(task.change)}.`;
  }
  if (task.kind === 'move') return `move ${symbol} to ${task.to}, and correct all imports.`;
  return (
    `list all lines that a change of the declaration of ${symbol} affects: uses, also by its name, and what overrides or ` +
    'implements it; one line `path:line` for each.'
  );
}

function changeIn(change: SignatureTaskChange): string {
  if ('order' in change) return `the new order is \`${change.order.join(', ')}\``;
  if ('rename' in change) return `\`${change.rename}\` gets the name \`${change.to}\``;
  return `add \`${change.add}\` as the last one, and pass \`${change.value}\` in calls`;
}

const Blocks = z.object({
  type: z.string(),
  message: z.object({
    content: z.array(
      z.looseObject({ type: z.string(), text: z.string().optional(), input: z.unknown(), content: z.unknown() }),
    ),
  }),
});

function readClaude(event: Readonly<Record<string, unknown>>): Said {
  const blocks = Blocks.safeParse(event).data?.message.content ?? [];
  const of = (type: string) => blocks.filter((block) => block.type === type);
  return {
    calls: of('tool_use').map(({ input }) => JSON.stringify(input)),
    results: of('tool_result').map(({ content }) => textOf(content)),
    text: of('text')
      .map(({ text = '' }) => text)
      .join('\n'),
  };
}

const Item = z.object({
  type: z.literal('item.completed'),
  item: z.looseObject({
    type: z.string(),
    text: z.string().optional(),
    command: z.string().optional(),
    aggregated_output: z.string().optional(),
  }),
});

function readCodex(event: Readonly<Record<string, unknown>>): Said {
  const item = Item.safeParse(event).data?.item;
  if (item === undefined) return {};
  if (item.type === 'agent_message') return { text: item.text ?? '' };
  if (item.type === 'reasoning') return {};
  return { calls: [item.command ?? JSON.stringify(item)], results: [item.aggregated_output ?? ''] };
}

function readGemini(event: Readonly<Record<string, unknown>>): Said {
  if (event.type === 'tool_use') return { calls: [JSON.stringify(event.parameters)] };
  if (event.type === 'tool_result') return { results: [textOf(event.output)] };
  return event.type === 'message' && event.role === 'assistant' ? { text: textOf(event.content) } : {};
}

const Part = z.object({
  part: z.looseObject({
    text: z.string().optional(),
    state: z.object({ input: z.unknown(), output: z.unknown() }).optional(),
  }),
});

function readOpenCode(event: Readonly<Record<string, unknown>>): Said {
  const part = Part.safeParse(event).data?.part;
  if (part?.state !== undefined) {
    return { calls: [JSON.stringify(part.state.input)], results: [textOf(part.state.output)] };
  }
  return part?.text === undefined ? {} : { text: part.text };
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : (JSON.stringify(content) ?? '');
}
