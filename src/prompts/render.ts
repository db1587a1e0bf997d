import { ExpectedError, messageOf } from '../base/errors.ts';

/** What templates of the user may use besides the values of one prompt. */
export interface TemplateInputs {
  /** By the names that templates know (`spec/system.md` §5.2). */
  readonly values: Readonly<Record<string, unknown>>;
  /** Returns what takes the place of `embed_memory(name)`; never rejects. */
  embedMemory(name: string): Promise<string>;
}

/**
 * Returns a Jinja template filled with `values`, trimmed. The template sees these values and nothing else.
 *
 * `source` is how messages name the template.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template.
 */
export async function renderTemplate(
  template: string,
  values: Readonly<Record<string, unknown>>,
  source: string,
): Promise<string> {
  if (!/\{[{%#]/.test(template)) return template.trim();
  // Loaded with the first template that is one.
  const { Template } = await import('@huggingface/jinja');
  try {
    return new Template(template).render({ ...values }).trim();
  } catch (error) {
    throw new ExpectedError('config.invalid', `The template of ${source} is broken: ${messageOf(error)}`, {
      cause: error,
      hints: ['Correct the template, or remove it to use the built-in one'],
    });
  }
}

/**
 * Returns a template of a context, a mode or a project filled, trimmed; it may embed memories.
 *
 * @throws {ExpectedError} as {@link renderTemplate} does.
 */
export async function renderWithMemories(template: string, inputs: TemplateInputs, source: string): Promise<string> {
  const { values } = inputs;
  if (!template.includes('embed_memory')) return await renderTemplate(template, values, source);
  // Templates cannot wait, so a first time shows what they need.
  const names = new Set<string>();
  const note = (name: unknown) => {
    names.add(String(name));
    return '';
  };
  await renderTemplate(template, { ...values, embed_memory: note }, source);
  const texts = new Map<unknown, string>();
  for (const name of names) texts.set(name, await inputs.embedMemory(name));
  const embed = (name: unknown) => texts.get(String(name)) ?? '';
  return await renderTemplate(template, { ...values, embed_memory: embed }, source);
}
