/** How a text is indented: by tabs, or by a number of spaces. */
export interface Indentation {
  /** Columns of one level. */
  readonly size: number;
  readonly isTab: boolean;
}

/** Returns the indentation of the first indented line of `text`; `undefined` if there is none. */
export function indentationOf(text: string): Indentation | undefined {
  const indent = /^(?: {2,8}|\t)(?=\S)/m.exec(text)?.[0];
  if (indent === undefined) return undefined;
  return indent === '\t' ? { size: 4, isTab: true } : { size: indent.length, isTab: false };
}
