import { toJson } from '../../text/json.ts';

/** A value with a text form of its own; `render` also accepts parts of the value, so that they can be pages. */
export class Rendered {
  readonly value: unknown;
  readonly render: (value: unknown) => string;

  constructor(value: unknown, render: (value: unknown) => string) {
    this.value = value;
    this.render = render;
  }
}

/** Returns the text of an answer's value: a string as it is, any other value in its own form or as JSON. */
export function textOf(value: unknown): string {
  if (value instanceof Rendered) return value.render(value.value);
  return typeof value === 'string' ? value : toJson(value);
}
