/** The text of a template, and where it stands. */
export interface TemplateText {
  /** Jinja. */
  readonly text: string;
  /** How messages name the file that it is in. */
  readonly file: string;
  /** The 1-based line of the file on which it begins; `undefined` for a built-in one. */
  readonly firstLine: number | undefined;
}
