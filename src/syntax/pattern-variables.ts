/** Variables in patterns of code: `$NAME`, `$$NAME`, `$$$NAME` and `$$$`. */
export const patternVariable = /(\$\$\$|\$\$|\$)([A-Z_][A-Z0-9_]*)|\$\$\$(?![A-Za-z0-9_$])/g;

interface NamedVariable {
  /** As it is written. */
  readonly source: string;
  /** Empty for `$$$`. */
  readonly name: string;
  readonly at: number;
}

export function variablesIn(text: string): NamedVariable[] {
  return [...text.matchAll(patternVariable)].map((match) => ({
    source: match[0],
    name: match[2] ?? '',
    at: match.index,
  }));
}
