/** A JSON schema, or a part of one. */
type Schema = Readonly<Record<string, unknown>>;

/** Contexts whose clients take schemas of OpenAI's narrower kind. */
const contexts: readonly string[] = ['chatgpt', 'codex', 'oaicompat-agent'];

/** Keys whose value is a schema, a list of schemas, or a map of schemas by name. */
const nested = ['items', 'allOf', 'if', 'then', 'else'];
const nestedByName = ['properties', 'patternProperties', 'definitions', '$defs'];
const unions = ['anyOf', 'oneOf'];

/** Returns whether clients in the context called `name` are told schemas as {@link openAiSchema} writes them. */
export function wantsOpenAiSchema(name: string): boolean {
  return contexts.includes(name);
}

/**
 * Returns a schema in the subset that OpenAI's clients take: no integers but whole numbers, no `null`, no union where one
 * branch says it all (`spec/tools.md` §3.5, with its decision). Keys that it knows nothing of stay as they are.
 */
export function openAiSchema(schema: Schema): Record<string, unknown> {
  const single = unions.reduce(withoutUnion, schema);
  const entries = Object.entries(withPlainType(single)).map(([key, value]) => [key, rewritten(key, value)] as const);
  // Without `null` among the types it is no default either: leaving the argument out means the same.
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
 * Returns `node` with its union under `key` gone where one branch stands for all of it: the other one beside `null`, or
 * any where all say the same. What the node says itself wins.
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

/** The branch takes the place of the union, so that keys stay in the usual order. */
function merged(node: Schema, key: string, branch: unknown): Schema {
  const filling = Object.entries(isSchema(branch) ? openAiSchema(branch) : {});
  const entries = Object.entries(node).flatMap(([name, value]) =>
    name === key ? filling.filter(([added]) => added === key || !(added in node)) : [[name, value] as const],
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

/** Returns `node` with `type` and the constraint that numbers are whole, unless it has one of that sort. */
function wholeNumber(node: Schema, type: unknown = 'number'): Schema {
  return { ...node, type, multipleOf: node.multipleOf ?? 1 };
}
