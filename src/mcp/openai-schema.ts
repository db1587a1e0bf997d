/** A JSON schema or a part of one. */
type Schema = Readonly<Record<string, unknown>>;

/** Contexts whose clients accept only OpenAI's subset of JSON Schema. */
const contexts: readonly string[] = ['chatgpt', 'codex', 'oaicompat-agent'];

/** Keys whose value is a schema, a list of schemas, or a map of schemas by name. */
const nested = ['items', 'allOf', 'if', 'then', 'else'];
const nestedByName = ['properties', 'patternProperties', 'definitions', '$defs'];
const unions = ['anyOf', 'oneOf'];

/** True if the schemas for clients in the context called `name` must pass through {@link openAiSchema}. */
export function wantsOpenAiSchema(name: string): boolean {
  return contexts.includes(name);
}

/**
 * Rewrites a schema into the subset that OpenAI's clients accept: `number` with `multipleOf: 1` for `integer`, no
 * `null`, no union that one branch can replace. Other keys are unchanged. See docs/compatibility.md, Schemas for OpenAI
 * clients.
 */
export function openAiSchema(schema: Schema): Record<string, unknown> {
  const single = unions.reduce(withoutUnion, schema);
  const entries = Object.entries(withPlainType(single)).map(([key, value]) => [key, rewritten(key, value)] as const);
  // `null` is no longer a valid value, so it cannot be the default; leaving the argument out means the same.
  return Object.fromEntries(entries.filter(([key, value]) => key !== 'default' || value !== null));
}

function rewritten(key: string, value: unknown): unknown {
  if (nested.includes(key)) return Array.isArray(value) ? value.map(ifSchema) : ifSchema(value);
  if (!nestedByName.includes(key) || !isSchema(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, ifSchema(part)]));
}

/** A schema may also be `true` or `false`. */
function ifSchema(value: unknown): unknown {
  return isSchema(value) ? openAiSchema(value) : value;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns `node` with the union under `key` replaced by one branch, if that loses nothing: the only branch besides
 * `null`, or any branch if all are the same. The node's own keys win over those of the branch.
 */
function withoutUnion(node: Schema, key: string): Schema {
  const branches = node[key];
  if (!Array.isArray(branches)) return node;
  const others = branches.filter((branch) => !isSchema(branch) || branch.type !== 'null');
  if (branches.length === 2 && others.length === 1) return merged(node, key, others[0]);
  const written: unknown[] = branches.map(ifSchema);
  const [first] = written;
  const areSame = written.every((branch) => JSON.stringify(branch) === JSON.stringify(first));
  return areSame ? merged(node, key, first) : { ...node, [key]: written };
}

/** Inserts the keys of the branch at the position of the union, so that keys stay in the usual order. */
function merged(node: Schema, key: string, branch: unknown): Schema {
  const added = Object.entries(isSchema(branch) ? openAiSchema(branch) : {});
  const entries = Object.entries(node).flatMap(([name, value]) =>
    name === key ? added.filter(([other]) => other === key || !(other in node)) : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

function withPlainType(node: Schema): Schema {
  const { type, enum: values } = node;
  if (Array.isArray(type)) return withOneType(node, type);
  if (type === 'integer') return wholeNumber(node);
  const isOfIntegers = Array.isArray(values) && values.length > 0 && values.every(Number.isInteger);
  return isOfIntegers && (type === undefined || type === 'number') ? wholeNumber(node) : node;
}

function withOneType(node: Schema, types: readonly unknown[]): Schema {
  const kept = types.filter((type) => type !== 'null').map((type) => (type === 'integer' ? 'number' : type));
  const [first = 'object', ...more] = new Set(kept);
  const type = more.length === 0 ? first : [first, ...more];
  return kept.includes('number') ? wholeNumber(node, type) : { ...node, type };
}

/** Returns `node` with `type` and the constraint that numbers are integers, unless it has a `multipleOf` already. */
function wholeNumber(node: Schema, type: unknown = 'number'): Schema {
  return { ...node, type, multipleOf: node.multipleOf ?? 1 };
}
