import { ExpectedError, errorKinds } from '../base/errors.ts';
import { renderLabels } from '../tools/answers/labels.ts';
import type { Answer } from '../tools/tool.ts';

/** The result of `tools/call`. */
export interface CallResult {
  readonly content: { type: 'text'; text: string }[];
  readonly isError: boolean;
  /** `notes` is the second text, because some clients pass only this object to the model. */
  readonly structuredContent?: { readonly result: string; readonly notes?: string };
  readonly [key: string]: unknown;
}

/** Errors of the call pipeline, whose messages have no kind before them: see docs/compatibility.md, Tool errors. */
const pipelineCodes: readonly string[] = ['tool.inactive', 'project.none-active', 'tool.timed-out', 'tool.cancelled'];

/** Parts of a context that decide about the form of a result. */
interface ResultForm {
  readonly hasStructuredOutput: boolean;
  readonly maxResultChars: number;
}

/**
 * Returns the result for the client: the text of the answer, and a second text with its gaps, warnings and notes if
 * any. They are in reverse order if the client shows only the beginning of both.
 */
export function answerResult(answer: Answer, { hasStructuredOutput, maxResultChars }: ResultForm): CallResult {
  const notes = renderLabels(answer);
  const texts = notes === undefined ? [answer.text] : [answer.text, notes];
  // A call may ask for a longer answer, and notes may have any length.
  if (texts.reduce((sum, { length }) => sum + length, 0) > maxResultChars) texts.reverse();
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    isError: false,
    ...(hasStructuredOutput
      ? { structuredContent: { result: answer.text, ...(notes === undefined ? {} : { notes }) } }
      : {}),
  };
}

/** Returns the error result for the client; `logPath` is the log file that has the details of internal errors. */
export function errorResult(toolName: string, error: unknown, logPath: string | undefined): CallResult {
  return { content: [{ type: 'text', text: errorText(toolName, error, logPath) }], isError: true };
}

function errorText(toolName: string, error: unknown, logPath: string | undefined): string {
  if (!(error instanceof ExpectedError)) {
    const where = logPath === undefined ? 'on stderr' : `in \`${logPath}\``;
    return `Error executing tool ${toolName}: internal error (please report); the details are ${where}`;
  }
  const hints = error.hints.map((hint) => `\nhint: ${hint}`).join('');
  if (error.code === 'tool.unknown') return error.message + hints;
  const kind = pipelineCodes.includes(error.code) ? '' : `${errorKinds[error.code]}: `;
  return `Error executing tool ${toolName}: ${kind}${error.message}${hints}`;
}
