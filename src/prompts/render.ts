import { ExpectedError, messageOf } from '../base/errors.ts';

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
