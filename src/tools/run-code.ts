import { z } from 'zod';
import { counted } from '../base/counted.ts';
import { ExpectedError } from '../base/errors.ts';
import type { Gap } from '../base/gap.ts';
import type { ScriptEnd } from '../sandbox/script-protocol.ts';
import { toJson } from '../text/json.ts';
import { JoinedEdits } from './joined-edits.ts';
import { maxAnswerChars } from './parameters.ts';
import { defineTool, type Output, type ProjectContext, type SessionControl } from './tool.ts';

export const runCode = defineTool({
  name: 'run_code',
  description: `Runs JavaScript that calls tools as async methods of \`serena\`, to replace several calls by
one: \`const files = Object.keys(await serena.find_referencing_symbols({ name_path: 'Basket/total',
relative_path: 'shop/basket.py' })); return files;\`. Methods take one object with the arguments of the tool and return plain
data. \`serena.help()\` lists them, \`serena.help('find')\` declares the methods with that word. The code is the
body of an async function: \`return\` only what you need. \`globalThis.x = …\` remains for later scripts. There are no files,
network, timers or imports. Edits are written together when the script has ended, and none if it or an edit failed. Read
before you edit: a read that would miss an edit fails.`,
  toolset: 'workflow',
  effect: 'edits',
  editsThroughTools: true,
  describes: ['dry_run', 'if_clean'],
  stage: 'optional',
  needs: 'project',
  input: () => ({
    code: z.string().describe('JavaScript; top-level await and return are allowed.'),
    max_answer_chars: maxAnswerChars,
  }),
  aliases: { script: 'code', source: 'code' },
  async run(context, { code }) {
    const { signal } = context.call;
    const reports = new Reports();
    const edits = new JoinedEdits(context.edits, 'script');
    const call = (name: string, input: unknown, aborted: AbortSignal) =>
      callMethod(context, { name, input, signal: aborted, reports, edits });
    const end = await edits.collect(() => context.scripts.run(code, { signal, call }));
    checkEnd(end, edits);
    const parts = partsOf(end);
    const changed = await edits.commit(signal);
    return {
      ...outputOf(parts, changed.length),
      sources: reports.sources,
      gaps: reports.gaps,
      notes: [...reports.notes, ...notesOn(end)],
    };
  },
});

interface MethodCall {
  readonly name: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
  readonly reports: Reports;
  readonly edits: JoinedEdits;
}

async function callMethod({ session, call }: ProjectContext, { name, input, signal, reports, edits }: MethodCall) {
  if (name === 'help') return await help(session, input);
  const answer = await session.callForScript({ tool: name, args: input, edits }, { ...call, signal });
  reports.add(answer);
  return answer.value;
}

/** Returns the declarations of the methods whose names contain `topic`, else the signatures of all. */
async function help(session: SessionControl, topic: unknown): Promise<string> {
  const { declarationOf, signatureOf } = await import('./script-declarations.ts');
  const tools = session.scriptTools();
  const chosen = typeof topic === 'string' ? tools.filter(({ name }) => name.includes(topic.toLowerCase())) : [];
  if (chosen.length > 0) return chosen.map(declarationOf).join('\n\n');
  return tools.map(signatureOf).join('\n');
}

/** More gaps than these say nothing new; the others are counted. */
const maxGaps = 20;

/** Sources, gaps and notes of a script's calls, each once. */
class Reports {
  readonly #sources = new Set<string>();
  readonly #notes = new Set<string>();
  readonly #gaps = new Map<string, Gap>();

  add(answer: { sources?: readonly string[]; gaps: readonly Gap[]; notes: readonly string[] }): void {
    for (const source of answer.sources ?? []) this.#sources.add(source);
    for (const note of answer.notes) this.#notes.add(note);
    for (const gap of answer.gaps) this.#gaps.set(`${gap.missing}\0${gap.reason}`, gap);
  }

  get sources(): string[] {
    return [...this.#sources];
  }

  get notes(): string[] {
    return [...this.#notes];
  }

  get gaps(): Gap[] {
    const all = [...this.#gaps.values()];
    const others = all.length - maxGaps;
    if (others <= 0) return all;
    const more = {
      missing: counted(others, 'more gap'),
      reason: 'calls of the script reported them',
      next: 'call less at once',
    };
    return [...all.slice(0, maxGaps), more];
  }
}

type Returned = Extract<ScriptEnd, { kind: 'returned' }>;

/**
 * Checks that the script has ended in such a way that its edits may be made.
 *
 * @throws {ExpectedError} `script.failed`, `script.stopped`.
 */
function checkEnd(end: ScriptEnd, { count }: JoinedEdits): asserts end is Returned {
  const noEdits = count === 0 ? '' : ', so none of its edits was made';
  if (end.kind === 'threw') throw failure('script.failed', `the script failed${noEdits}: ${end.message}`, end);
  if (end.kind === 'stopped') {
    const why = end.reason === 'time' ? 'it ran too long without a call' : `the engine failed: ${end.message}`;
    const lost = 'all variables of scripts are lost';
    throw failure('script.stopped', `the script was stopped${noEdits}: ${why}; ${lost}`, end);
  }
  if (end.unawaitedCalls > 0 && count > 0) {
    const calls = `${counted(end.unawaitedCalls, 'call')} had not ended when the script did`;
    throw failure('script.failed', `${calls}${noEdits}: await all calls`, end);
  }
}

/** Returns the output of a script and its result. */
function partsOf({ json, printed }: Returned): unknown[] {
  return [...(printed === '' ? [] : [printed]), ...(json === '' ? [] : [JSON.parse(json)])];
}

/** Returns the answer; that files were changed comes first, so that no limit of the answer hides it. */
function outputOf(parts: readonly unknown[], changedFiles: number): Output {
  const changed = changedFiles === 0 ? [] : [`${counted(changedFiles, 'file')} changed.`];
  const all = [...changed, ...parts];
  if (all.length <= 1) return { value: all[0] ?? 'The script returned nothing.' };
  return {
    value: all.map((part) => (typeof part === 'string' ? part : toJson(part))).join('\n'),
    shorter: changed.map((line) => () => line),
  };
}

/** Long enough to find the error, short enough for an error message. */
const maxShownChars = 1_000;

function failure(code: 'script.failed' | 'script.stopped', message: string, { printed }: ScriptEnd): ExpectedError {
  const shown = printed.slice(-maxShownChars);
  return new ExpectedError(code, shown === '' ? message : `${message}\nprinted before:\n${shown}`, {
    hints: ["correct the script; `return serena.help('find')` shows the parameters and results of methods"],
  });
}

function notesOn(end: Returned): string[] {
  const dropped = end.droppedChars === 0 ? [] : [`${counted(end.droppedChars, 'printed character')} were dropped`];
  if (end.unawaitedCalls === 0) return dropped;
  return [...dropped, `${counted(end.unawaitedCalls, 'call')} had not ended when the script did: await them`];
}
