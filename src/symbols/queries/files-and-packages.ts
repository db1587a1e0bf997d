import { fileNode } from '../model/container.ts';
import { acceptsKind, kinds as allKinds, type KindFilter } from '../model/kinds.ts';
import { matchesPattern, type NamePathPattern } from '../model/name-path.ts';
import type { SearchRoot, SymbolScope } from '../model/scope.ts';
import type { SymbolNode } from '../model/symbol.ts';

const nowhere = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/**
 * Returns the files and packages (directories with source files) that match, sorted by path. Returns none unless
 * `kinds` includes them explicitly: otherwise every module would be listed besides symbols of the same name.
 */
export async function findFilesAndPackages(
  scope: SymbolScope,
  pattern: NamePathPattern,
  options: { root: SearchRoot; kinds: KindFilter },
): Promise<SymbolNode[]> {
  const included = options.kinds.include.filter((kind) => kind === allKinds.file || kind === allKinds.package);
  if (included.length === 0 || options.root.isFile) return [];
  const { project, sources } = scope.files;
  const walk = {
    under: options.root.path,
    extensions: sources.extensions,
    pruneDirectories: sources.prunedDirectories,
  };
  const files = await project.scanner.listFiles(walk, scope.call.signal);
  const packages = new Map<string, SymbolNode>();
  const rootPackage = packageNode(project.root.split(/[\\/]/).at(-1) ?? '', '', undefined);
  packages.set('', rootPackage);
  const found: SymbolNode[] = [];
  const consider = (node: SymbolNode) => {
    if (acceptsKind(options.kinds, node.kind) && matchesPattern(pattern, node)) found.push(node);
  };
  consider(rootPackage);
  for (const { path } of files) {
    const directories = path.split('/').slice(0, -1);
    let parent = rootPackage;
    for (const [depth, name] of directories.entries()) {
      const directory = directories.slice(0, depth + 1).join('/');
      const known = packages.get(directory);
      parent = known ?? packageNode(name, directory, parent);
      if (!known) {
        packages.set(directory, parent);
        consider(parent);
      }
    }
    const node = fileNode(path, 0, parent);
    if (acceptsKind(options.kinds, node.kind) && matchesPattern(pattern, node)) {
      found.push(fileNode(path, scope.files.textOf(path).starts.length, parent));
    }
  }
  return found;
}

function packageNode(name: string, directory: string, parent: SymbolNode | undefined): SymbolNode {
  return {
    name,
    kind: allKinds.package,
    range: nowhere,
    selectionRange: nowhere,
    file: directory,
    overloadIndex: undefined,
    parent,
    children: [],
  };
}
