import { ExpectedError } from '../base/errors.ts';
import { countCharacters } from '../text/characters.ts';
import { toJson } from '../text/json.ts';
import { dryRun } from './answers/dry-run.ts';
import { withEditDiagnostics } from './answers/with-edit-diagnostics.ts';
import { readArguments } from './arguments.ts';
import { type Answer, type BareContext, type Output, type SymbolsContext, type Tool, tooLong } from './tool.ts';

/**
 * Runs a tool with the arguments that a client sent and returns its answer, shortened if it exceeds the limit.
 *
 * @throws {ExpectedError} `tool.invalid-input` before the tool runs; whatever the tool throws.
 */
export async function runTool(
  tool: Tool,
  sent: unknown,
  context: BareContext & Partial<SymbolsContext>,
): Promise<Answer> {
  const input = readArguments(tool, sent);
  const limit = answerLimit(input.max_answer_chars, context.limits.maxAnswerChars);
  const isDryRun = tool.hasDryRun && input.dry_run === true;
  const run = () => tool.run(context, input);
  const ran = await (isDryRun ? dryRun(context, run) : run());
  const { value, gaps: unknownProblems } = await withEditDiagnostics(ran.value, context.symbols);
  const gaps = [...(ran.gaps ?? []), ...(context.symbols?.gaps ?? []), ...unknownProblems];
  const sources = [...(ran.sources ?? []), ...(context.symbols?.sourcesBesidesServers ?? [])];
  const notes = [...(context.symbols?.editProblems.notes ?? []), ...(ran.notes ?? [])];
  return { ...fitted({ ...ran, value }, limit), sources, gaps, notes };
}

function answerLimit(requested: unknown, configured: number): number | undefined {
  if (typeof requested !== 'number') return undefined;
  if (requested === -1) return configured;
  if (requested > 0) return requested;
  throw new ExpectedError('tool.invalid-input', `\`max_answer_chars\` is ${requested}; it must be positive, or -1`, {
    hints: [`omit it to use the configured limit of ${configured}`],
  });
}

/** An answer over the limit is never cut: the first shorter rendering that fits replaces it. */
function fitted(output: Output, limit: number | undefined): Pick<Answer, 'text' | 'value'> {
  const text = typeof output.value === 'string' ? output.value : toJson(output.value);
  const sizeChars = output.value === tooLong ? undefined : countCharacters(text);
  if (limit === undefined || (sizeChars !== undefined && sizeChars <= limit)) return { text, value: output.value };
  const size = sizeChars === undefined ? `far more than ${limit}` : String(sizeChars);
  const notice = `The answer has ${size} characters, over the limit; narrow the query or raise max_answer_chars.`;
  for (const render of output.shorter ?? []) {
    const shortened = `${notice}\n${render()}`;
    if (countCharacters(shortened) <= limit) return { text: shortened, value: shortened };
  }
  return { text: notice, value: notice };
}
