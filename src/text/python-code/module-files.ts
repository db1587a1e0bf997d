/** Files that a module may be in, and its directory if it is a package; paths are project-relative. */
export interface ModulePlace {
  /** The first one that exists counts. */
  readonly files: readonly string[];
  readonly directory: string;
}

/**
 * Returns where a module may be that a file imports, the first place first. `module` has its leading dots. Sources may
 * be at the root, in `src`, and in any directory above the file that is no package itself.
 */
export function modulePlaces(module: string, file: string, exists: (path: string) => boolean): ModulePlace[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const parts = module.slice(dots).split('.').filter(Boolean);
  const above = parents(file);
  if (dots > 0) {
    const base = above[dots - 1];
    return base === undefined ? [] : [placeOf([base, ...parts])];
  }
  const outside = above.filter((directory) => !exists(`${directory}/__init__.py`));
  const roots = new Set(['', 'src', ...outside]);
  return parts.length === 0 ? [] : [...roots].map((root) => placeOf([root, ...parts]));
}

/** Returns the directories of a file, the innermost first; the root is `''`. */
function parents(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return [...parts.keys(), parts.length].map((length) => parts.slice(0, length).join('/')).reverse();
}

function placeOf(parts: readonly string[]): ModulePlace {
  const directory = parts.filter(Boolean).join('/');
  // Code first: a stub says what it declares, not what happens.
  const inside = directory === '' ? '' : `${directory}/`;
  const beside = directory === '' ? [] : [`${directory}.py`];
  const stubs = directory === '' ? [] : [`${directory}.pyi`];
  return { files: [`${inside}__init__.py`, ...beside, `${inside}__init__.pyi`, ...stubs], directory };
}
