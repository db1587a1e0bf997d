/** How a file is imported: its names from the directory that imports start from. */
export interface ModulePath {
  /** The nearest directory above the file that is no package; `''` for the root of the project. */
  readonly root: string;
  /** The module, such as `['shop', 'prices']`. */
  readonly parts: readonly string[];
  /** The package that relative imports of the module start from. */
  readonly package: readonly string[];
}

/** Returns how a project-relative file is imported. `exists` is asked about project-relative paths of `__init__.py`. */
export function modulePath(file: string, exists: (path: string) => boolean): ModulePath {
  const directories = file.split('/').slice(0, -1);
  let depth = directories.length;
  const isPackage = (length: number) => exists([...directories.slice(0, length), '__init__.py'].join('/'));
  while (depth > 0 && isPackage(depth)) depth--;
  const inPackage = directories.slice(depth);
  const stem = file.slice(file.lastIndexOf('/') + 1).replace(/\.pyi?$/, '');
  const parts = stem === '__init__' ? inPackage : [...inPackage, stem];
  return { root: directories.slice(0, depth).join('/'), parts, package: inPackage };
}

/** Returns a module with leading dots, as a file of another module names it; `undefined` in another top-level package. */
export function relativeModule(parts: readonly string[], importer: ModulePath): string | undefined {
  const from = importer.package;
  if (from.length === 0 || from[0] !== parts[0]) return undefined;
  let common = 0;
  while (common < from.length && from[common] === parts[common]) common++;
  return '.'.repeat(from.length - common + 1) + parts.slice(common).join('.');
}

/** Returns the parts of a module in an import of `importer`; `undefined` if its dots lead out of the package. */
export function absoluteModule(module: string, importer: ModulePath): readonly string[] | undefined {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const rest = module.slice(dots).split('.').filter(Boolean);
  if (dots === 0) return rest;
  const depth = importer.package.length - (dots - 1);
  return depth <= 0 ? undefined : [...importer.package.slice(0, depth), ...rest];
}
