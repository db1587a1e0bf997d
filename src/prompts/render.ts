import { ExpectedError, messageOf } from '../base/errors.ts';
import type { TemplateText } from '../config/template-text.ts';
import { findBreakage } from './breakage.ts';

type Values = Readonly<Record<string, unknown>>;

/** A prompt needs some hundreds; a template of a repository must not keep us busy. */
const maxSteps = 100_000;

/** What templates of the user may use besides the values of one prompt. */
export interface TemplateInputs {
  /** By the names that templates know (`spec/system.md` §5.2). */
  readonly values: Values;
  /** Returns what takes the place of `embed_memory(name)`; never rejects. */
  embedMemory(name: string): Promise<string>;
}

/**
 * Returns a Jinja template filled with `values`, trimmed. The template sees these values and nothing else; what it names
 * and is not there is empty.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template, with file and line.
 */
export async function renderTemplate(template: TemplateText, values: Values): Promise<string> {
  const { text, file, firstLine } = template;
  if (!/\{[{%#]/.test(text)) return text.trim();
  // Our own templates put blocks on lines of their own; those of users come from `serena-agent`, which keeps such lines.
  const render = await renderer(values, { dropsBlockLines: firstLine === undefined });
  try {
    return render(text).trim();
  } catch (error) {
    const { line, reason = messageOf(error) } = findBreakage(text, render);
    const where = firstLine === undefined ? `${file}, line ${line} of the template` : `${file}:${firstLine + line - 1}`;
    throw new ExpectedError('config.invalid', `${where}: the template is broken: ${reason}`, {
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
export async function renderWithMemories(template: TemplateText, inputs: TemplateInputs): Promise<string> {
  const { values } = inputs;
  if (!template.text.includes('embed_memory')) return await renderTemplate(template, values);
  // Templates cannot wait, so a first time shows what they need.
  const names = new Set<string>();
  const note = (name: unknown) => {
    names.add(String(name));
    return '';
  };
  await renderTemplate(template, { ...values, embed_memory: note });
  const texts = new Map<unknown, string>();
  for (const name of names) texts.set(name, await inputs.embedMemory(name));
  const embed = (name: unknown) => texts.get(String(name)) ?? '';
  return await renderTemplate(template, { ...values, embed_memory: embed });
}

/** Returns how to fill templates with `values`. */
async function renderer(
  values: Values,
  { dropsBlockLines }: { dropsBlockLines: boolean },
): Promise<(text: string) => string> {
  // Loaded with the first template that is one. Its `Template` would let templates call functions of its own, and go on
  // for ever; the parts that it is made of have no types that we can see.
  const { Environment, Interpreter, parse, tokenize } = await import('@huggingface/jinja');
  return (text) => {
    const environment = new Environment();
    for (const [name, value] of Object.entries({ ...constants, ...values })) environment.set(name, value);
    const interpreter = new Interpreter(environment);
    const evaluate: (...args: readonly unknown[]) => unknown = interpreter.evaluate.bind(interpreter);
    let steps = 0;
    interpreter.evaluate = (...args: readonly unknown[]) => {
      if (++steps > maxSteps) throw new Error(`it takes more than ${maxSteps} steps`);
      return evaluate(...args);
    };
    const { value } = interpreter.run(
      parse(tokenize(text, { lstrip_blocks: dropsBlockLines, trim_blocks: dropsBlockLines })),
    );
    return String(value);
  };
}

const constants = { true: true, false: false, none: null, True: true, False: false, None: null };
