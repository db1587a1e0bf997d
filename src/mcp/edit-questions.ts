import { counted } from '../base/counted.ts';
import { ExpectedError } from '../base/errors.ts';
import { ambiguityOf } from '../tools/answers/ambiguous.ts';
import { editData, joinedReports, textOfEdit, toolCall } from '../tools/answers/finished-edits.ts';
import { type Answer, plansEdits } from '../tools/tool.ts';
import { findTool } from '../tools/tools.ts';

/** A question to the person at the client about a call that only they can decide. */
export interface EditQuestion {
  readonly message: string;
  readonly fields: Readonly<Record<string, Field>>;
  /** Continues the call with what was filled in; without it, the call ends as if nothing had been asked. */
  resume(filledIn: Readonly<Record<string, unknown>> | undefined): Promise<Answer>;
}

/** Forms of all versions of MCP have such fields. */
type Field =
  | { readonly type: 'boolean'; readonly title: string; readonly description?: string; readonly default: boolean }
  | { readonly type: 'string'; readonly title: string; readonly enum: string[] };

/** Nobody decides about more places in a form; then the agent does, with their lines. */
const maxFields = 20;

export interface CalledTool {
  readonly name: string;
  readonly sent: unknown;
}

/** Runs a call. Returns its answer, or the question that an edit leaves open. @throws what `run` throws. */
export async function runAsking(
  called: CalledTool,
  run: (called: CalledTool) => Promise<Answer>,
): Promise<Answer | EditQuestion> {
  try {
    const answer = await run(called);
    return openPlacesQuestion(answer, run) ?? answer;
  } catch (error) {
    const question = error instanceof ExpectedError ? symbolQuestion(error, called, run) : undefined;
    if (question !== undefined) return question;
    throw error;
  }
}

/** Returns the question which symbol an edit means, if its name path is ambiguous. */
function symbolQuestion(
  error: ExpectedError,
  { name, sent }: CalledTool,
  run: (called: CalledTool) => Promise<Answer>,
): EditQuestion | undefined {
  const tool = findTool(name);
  const ambiguity = ambiguityOf(error);
  if (tool === undefined || ambiguity === undefined) return undefined;
  const { what, candidates } = ambiguity;
  if (!plansEdits(tool) || candidates.length > maxFields) return undefined;
  const key = ['name_path', 'name_path_pattern'].find((own) => own in tool.input.shape);
  // Among several renames, the error does not say which one it means.
  if (key === undefined || hasList(Object(sent).renames)) return undefined;
  const labels = candidates.map(({ name_path, kind, relative_path }) => `${relative_path}#${name_path} (${kind})`);
  return {
    message: `${tool.name}: ${what}. Which one?`,
    fields: { symbol: { type: 'string', title: 'Symbol', enum: labels } },
    resume: async (filledIn) => {
      const chosen = candidates[labels.indexOf(String(filledIn?.symbol))];
      if (chosen === undefined) throw error;
      const { name_path, relative_path } = chosen;
      return await run({ name, sent: { ...Object(sent), [key]: name_path, relative_path } });
    },
  };
}

function hasList(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/** Returns the question which open places an edit that was made is to include. */
function openPlacesQuestion(answer: Answer, run: (called: CalledTool) => Promise<Answer>): EditQuestion | undefined {
  const { edit } = answer;
  if (edit?.next === undefined || edit.isPlanned) return undefined;
  const { next, open } = edit;
  const places = open.filter(({ id }) => id !== undefined);
  if (places.length === 0 || places.length > maxFields) return undefined;
  const fields = places.map(({ id, file, line, column, text, why }) => {
    const at = `${line + 1}${column === undefined ? '' : `:${column + 1}`}`;
    return [
      `place_${id}`,
      { type: 'boolean', title: `${file}:${at}: ${text}`, description: why, default: false },
    ] as const;
  });
  return {
    message: `${edit.done}. Include ${counted(places.length, 'open place')}?`,
    fields: Object.fromEntries(fields),
    resume: async (filledIn) => {
      if (filledIn === undefined) return answer;
      const ids = places.flatMap(({ id }) => (id !== undefined && filledIn[`place_${id}`] === true ? [id] : []));
      const note = `The user included ${ids.length} of ${counted(places.length, 'open place')}`;
      if (ids.length === 0) return { ...answer, notes: [...answer.notes, note] };
      const { tool, args } = toolCall(next, ids);
      const more = await run({ name: tool, sent: args });
      const notes = [...answer.notes, note, ...more.notes];
      const gaps = [...answer.gaps, ...more.gaps];
      if (more.edit === undefined) return { ...more, text: `${answer.text}\n${more.text}`, notes, gaps };
      const joined = joinedReports(edit, more.edit);
      const isIncomplete = !joined.isComplete;
      return { ...more, text: textOfEdit(joined), edit: joined, data: editData(joined), isIncomplete, notes, gaps };
    },
  };
}
