import { inputSchemas } from '../generated/input-schemas.ts';
import type { Tool } from './tool.ts';

/** A JSON schema, as far as the schemas of parameters use it. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

type DeclaredTool = Pick<Tool, 'name' | 'description' | 'trials'>;

/** Parameters without a use in scripts: answers stay in the engine. */
const omitted: readonly string[] = ['max_answer_chars', 'cursor'];

/** Returns the declaration of the tool's method in TypeScript, with its documentation. */
export function declarationOf(tool: DeclaredTool): string {
  const { name, description } = tool;
  const parameters = parametersOf(tool).map(({ key, isRequired, schema }) => {
    const fallback = schema.default === undefined ? '' : ` Default: ${JSON.stringify(schema.default)}.`;
    return `  /** ${schema.description ?? ''}${fallback} */\n  ${key}${isRequired ? '' : '?'}: ${typeOf(schema)};`;
  });
  const input = parameters.length === 0 ? '' : `input: {\n${parameters.join('\n')}\n}`;
  return `/** ${description} */\n${name}(${input}): Promise<${returnTypes[name] ?? 'string'}>;`;
}

/** Returns the method of a tool in one line, without types of its parameters. */
export function signatureOf(tool: DeclaredTool): string {
  const { name } = tool;
  const keys = parametersOf(tool).map(({ key, isRequired }) => (isRequired ? key : `${key}?`));
  return `${name}(${keys.length === 0 ? '' : `{${keys.join(', ')}}`}): ${returnTypes[name] ?? 'string'}`;
}

function parametersOf({ name, trials }: DeclaredTool): { key: string; isRequired: boolean; schema: Schema }[] {
  const schema: Schema = JSON.parse(inputSchemas[name] ?? '{}');
  return (
    Object.entries(schema.properties ?? {})
      // Not for one edit of a script, but for the whole script.
      .filter(([key]) => !omitted.includes(key) && !trials.some((trial) => trial === key))
      .map(([key, property]) => ({ key, isRequired: schema.required?.includes(key) === true, schema: property }))
  );
}

function typeOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.type === 'array') {
    const item = schema.items === undefined ? 'unknown' : typeOf(schema.items);
    return item.includes(' ') ? `(${item})[]` : `${item}[]`;
  }
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown');
}

/** TypeScript types of the data that tools return to scripts, by tool; the others return text. */
const returnTypes: Readonly<Record<string, string>> = {
  list_dir: '{ dirs: string[]; files: string[] }',
  find_file: '{ files: string[] }',
  search_for_pattern: '{ [file: string]: string[] }',
  get_symbols_overview: '{ [kind: string]: (string | { [name: string]: object })[] }',
  find_symbol:
    '{ name_path: string; kind: string; relative_path: string; body_location: { start_line: number; end_line: number }; body?: string; info?: string; children?: object }[]',
  find_referencing_symbols:
    '{ [file: string]: { [kind: string]: { name_path: string; body_location: object; content_around_reference: string }[] } }',
  find_implementations:
    '{ name_path: string; kind: string; relative_path: string; body_location: object; info?: string }[]',
  find_declaration:
    '{ name_path: string; kind: string; relative_path: string; body_location: object; body?: string; info?: string }',
  get_diagnostics_for_file:
    '{ [file: string]: { [severity: string]: { [name_path: string]: { message: string; range: object }[] } } }',
  get_diagnostics_for_symbol:
    '{ [file: string]: { [severity: string]: { [name_path: string]: { message: string; range: object }[] } } }',
};
