/** The text of a template, and its location for messages. */
export interface TemplateText {
  /** Jinja. */
  readonly text: string;
  /** Name of its file in messages. */
  readonly file: string;
  /** The 1-based line on which it begins; `undefined` for a built-in template. */
  readonly firstLine: number | undefined;
}
