import { mapConcurrently } from '../../base/concurrent.ts';
import { ExpectedError } from '../../base/errors.ts';
import { type AnswerFormat, type Output, tooLong } from '../tool.ts';
import { Rendered, textOf } from './answer-text.ts';

/** Items whose answers are computed at the same time. */
const itemsAtOnce = 4;

/**
 * Returns one answer about several items of a list argument: the answers by item, and a message for each item that failed.
 */
export async function answerEach(
  items: readonly string[],
  format: AnswerFormat,
  answer: (item: string) => Promise<Output>,
): Promise<Output> {
  const outputs = await mapConcurrently(
    items,
    itemsAtOnce,
    async (item) => [item, await attempt(answer, item)] as const,
  );
  const values = outputs.map(([item, { value }]) => [item, value instanceof Rendered ? value.value : value] as const);
  const renderers = outputs.flatMap(([, { value }]) => (value instanceof Rendered ? [value.render] : []));
  const [render = textOf] = renderers;
  const value = Object.fromEntries(values);
  return {
    value: values.some(([, part]) => part === tooLong)
      ? tooLong
      : format === 'short'
        ? new Rendered(value, (parts) => renderEach(parts, render))
        : value,
    shorter: shorterEach(outputs),
    gaps: outputs.flatMap(([, { gaps = [] }]) => gaps),
    sources: outputs.flatMap(([, { sources = [] }]) => sources),
    notes: [...new Set(outputs.flatMap(([, { notes = [] }]) => notes))],
  };
}

async function attempt(answer: (item: string) => Promise<Output>, item: string): Promise<Output> {
  try {
    return await answer(item);
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    return { value: { error: [error.message, ...error.hints.map((hint) => `hint: ${hint}`)].join('\n') } };
  }
}

function renderEach(parts: unknown, render: (value: unknown) => string): string {
  const texts = Object.entries(Object(parts)).map(([item, part]) => {
    const { error } = Object(part);
    const text = typeof error === 'string' ? `error: ${error}` : typeof part === 'string' ? part : render(part);
    return `${item}:${text.includes('\n') ? '\n' : ' '}${text}`;
  });
  return texts.join('\n\n');
}

/** Each rendering shortens every answer by the same number of steps, or as far as it can be shortened. */
function* shorterEach(outputs: readonly (readonly [string, Output])[]): Generator<() => string> {
  const forms = outputs.map(([item, { value, shorter = [] }]) => ({ item, forms: [() => textOf(value), ...shorter] }));
  const steps = Math.max(...forms.map((one) => one.forms.length));
  for (let step = 1; step < steps; step++) {
    yield () => forms.map((one) => `${one.item}: ${(one.forms[step] ?? one.forms.at(-1))?.() ?? ''}`).join('\n');
  }
}
