import type { z } from 'zod';

/** Names of the JSON types in messages. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Returns what a value that a schema rejects must be, such as `must be a list`. For `safeParse(…, { error })`. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'missing' : `must be ${typeName(issue.expected)}`;
    case 'invalid_value':
      return `${issue.input === undefined ? 'missing; it ' : ''}must be ${orList(issue.values.map((value: unknown) => `\`${String(value)}\``))}`;
    case 'too_small':
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unitOf(issue.origin)}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `must not have ${orList(issue.keys.map((key: string) => `\`${key}\``))}`;
    case 'invalid_union':
      return issue.input === undefined ? 'missing' : describeUnion(issue.errors);
    case 'invalid_format':
      return `must be a valid ${issue.format}`;
    default:
      return undefined;
  }
}

/** Returns the name of a JSON value's type for messages. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeNames[typeof value === 'boolean' ? '' : typeof value] ?? String(value);
}

function typeName(type: string): string {
  return typeNames[type] ?? type;
}

/** Lists the accepted types if each branch fails on its type. Zod has no messages for the branches at this point. */
function describeUnion(errors: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const expected = errors.flatMap(([issue]) =>
    issue?.code === 'invalid_type' && issue.path.length === 0 ? typeName(issue.expected) : [],
  );
  return expected.length === errors.length && expected.length > 0
    ? `must be ${orList([...new Set(expected)])}`
    : 'has the wrong form';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

function orList(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}
