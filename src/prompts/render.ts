import { ExpectedError, messageOf } from '../base/errors.ts';
import type { TemplateText } from '../config/config-map.ts';

type Values = Readonly<Record<string, unknown>>;

/** A prompt needs a few hundred; the limit keeps a repository's template from running for long. */
const maxSteps = 100_000;

/** Values and functions available in the templates of contexts, modes and projects. */
export interface TemplateInputs {
  /** By name in templates: see docs/compatibility.md, Prompts and templates. */
  readonly values: Values;
  /** Returns the text that `embed_memory(name)` expands to; never rejects. */
  embedMemory(name: string): Promise<string>;
}

/**
 * Renders a Jinja template with `values` and trims the result. The template has access to these values only; unknown
 * names expand to nothing.
 *
 * @throws {ExpectedError} `config.invalid` for a broken template, with file and line.
 */
export async function renderTemplate(template: TemplateText, values: Values): Promise<string> {
  const { text, file, firstLine } = template;
  if (!/\{[{%#]/.test(text)) return text.trim();
  // Built-in templates put block tags on separate lines, which are dropped. User templates come from `serena-agent`,
  // which keeps such lines.
  const render = await renderer(values, { dropsBlockLines: firstLine === undefined });
  try {
    return render(text).trim();
  } catch (error) {
    const { line, reason = messageOf(error) } = findBreakage(text, render);
    const where = firstLine === undefined ? `${file}, line ${line} of the template` : `${file}:${firstLine + line - 1}`;
    throw new ExpectedError('config.invalid', `${where}: the template is broken: ${reason}`, {
      cause: error,
      hints: ['correct the template, or remove it to use the built-in one'],
    });
  }
}

/**
 * Renders a template of a context, a mode or a project, which may embed memories, and trims the result.
 *
 * @throws {ExpectedError} as {@link renderTemplate} does.
 */
export async function renderWithMemories(template: TemplateText, inputs: TemplateInputs): Promise<string> {
  const { values } = inputs;
  if (!template.text.includes('embed_memory')) return await renderTemplate(template, values);
  // Rendering is synchronous: a first pass collects the names of the memories to read.
  const names = new Set<string>();
  const collect = (name: unknown) => {
    names.add(String(name));
    return '';
  };
  await renderTemplate(template, { ...values, embed_memory: collect });
  const texts = new Map<unknown, string>();
  for (const name of names) texts.set(name, await inputs.embedMemory(name));
  const embed = (name: unknown) => texts.get(String(name)) ?? '';
  return await renderTemplate(template, { ...values, embed_memory: embed });
}

/** Returns a function that renders templates with `values`. */
async function renderer(
  values: Values,
  { dropsBlockLines }: { dropsBlockLines: boolean },
): Promise<(text: string) => string> {
  // Loaded on demand. The library's `Template` class offers templates functions of its own and cannot be limited, so
  // its parts are used instead; the type of `evaluate` is not exported.
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

/** Statements that need a closing `end…`. */
const blocks = ['if', 'for', 'macro', 'call', 'filter'];

/** The position of an error in a template. */
interface Breakage {
  /** 1-based. */
  readonly line: number;
  /** Set if it is more specific than the library's message. */
  readonly reason: string | undefined;
}

/**
 * Finds where `render` fails on a template: the first line with which the text up to it fails, too, or the start of an
 * unclosed tag or block. The library reports no positions.
 */
function findBreakage(template: string, render: (text: string) => string): Breakage {
  const lines = template.split('\n');
  for (const index of lines.keys()) {
    const start = lines.slice(0, index + 1).join('\n');
    if (openTag(start) !== undefined) continue;
    try {
      render(closed(start));
    } catch {
      return { line: index + 1, reason: undefined };
    }
  }
  const lineAt = (offset: number) => template.slice(0, offset).split('\n').length;
  const tag = openTag(template);
  if (tag !== undefined) return { line: lineAt(tag), reason: `\`${template.slice(tag, tag + 2)}\` is not closed` };
  const block = openBlocks(template).at(-1);
  if (block) return { line: lineAt(block.offset), reason: `\`${block.name}\` has no \`end${block.name}\`` };
  return { line: lines.length, reason: undefined };
}

/** Returns the offset of the last `{{`, `{%` or `{#` if it is not closed. */
function openTag(text: string): number | undefined {
  const open = Math.max(...['{{', '{%', '{#'].map((tag) => text.lastIndexOf(tag)));
  const close = Math.max(...['}}', '%}', '#}'].map((tag) => text.lastIndexOf(tag)));
  return open > close ? open : undefined;
}

function closed(text: string): string {
  const ends = openBlocks(text).map(({ name }) => `{% end${name} %}`);
  return text + ends.reverse().join('');
}

function openBlocks(text: string): { name: string; offset: number }[] {
  const open: { name: string; offset: number }[] = [];
  for (const { 1: name = '', index } of text.matchAll(/\{%[-+]?\s*(\w+)/g)) {
    if (blocks.includes(name)) open.push({ name, offset: index });
    else if (name.startsWith('end')) open.pop();
  }
  return open;
}
