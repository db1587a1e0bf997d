/** An import of a module, of whatever form. */
export interface Import {
  readonly specifier: string;
  /** 1-based. */
  readonly line: number;
  /** `entry`: the entry point of a worker thread, given as a URL; it must exist, but is not an import. */
  readonly kind: 'static' | 'dynamic' | 'entry';
}

const patterns = [
  // `from '…'` ends an import or export list of any number of lines.
  {
    kind: 'static',
    pattern: /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm,
  },
  {
    kind: 'dynamic',
    pattern: /\b(?:import|require|require\.resolve)\(\s*(?:['"]([^'"]+)['"]|([^'")\s][^)]*))/g,
  },
  { kind: 'entry', pattern: /\bnew (?:Worker|URL)\(\s*['"](\.[^'"]+\.ts)['"]/g },
] as const;

/** Blanks out comments, so that examples in docstrings are not read as imports; line numbers stay the same. */
export function withoutComments(text: string): string {
  const blank = (comment: string) => comment.replace(/[^\n]/g, ' ');
  return text.replace(/^\s*\/\*[\s\S]*?\*\//gm, blank).replace(/^\s*\/\/.*$/gm, blank);
}

/**
 * Returns the imports in a text without comments, and as `problems` those of computed paths. They are read by pattern:
 * TypeScript 7 exports no parser.
 */
export function readImports(text: string): { imports: Import[]; problems: Import[] } {
  const lineAt = (index: number) => text.slice(0, index).split('\n').length;
  const imports: Import[] = [];
  const problems: Import[] = [];
  for (const { kind, pattern } of patterns) {
    for (const match of text.matchAll(pattern)) {
      const line = lineAt(match.index + match[0].search(/\S/));
      const specifier = kind === 'dynamic' ? match[1] : (match[1] ?? match[2]);
      if (specifier !== undefined) imports.push({ specifier, line, kind });
      else problems.push({ specifier: match[2] ?? match[0], line, kind });
    }
  }
  return { imports, problems };
}
