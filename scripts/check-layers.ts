// usage: bun scripts/check-layers.ts
// Checks every import below src/ against src/layers.json: which layer may import which, which may use a package,
// `node:` built-ins only, and no cycle between files.
import { dirname, join, normalize } from 'node:path/posix';
import { z } from 'zod';
import { readImports, withoutComments } from './support/imports.ts';
import { reportProblems } from './support/report.ts';
import { listSources, readSource } from './support/tracked-files.ts';

const Layers = z.object({
  layers: z.record(z.string(), z.array(z.string())),
  /** Layers that are files of a directory: paths below src/, where `*` is any name. The others are named after their directory. */
  files: z.record(z.string(), z.array(z.string())),
  packages: z.record(z.string(), z.array(z.string())),
});
type Layers = z.infer<typeof Layers>;

interface Graph {
  readonly files: ReadonlySet<string>;
  /** File → the files of src/ it imports, type-only and dynamic imports included. */
  readonly edges: Map<string, string[]>;
}

const runtimeGlobal = /(?<![\w.'"`-])(Bun|Deno)\./;

function layerOf(path: string, { files }: Layers): string {
  const inSource = path.slice('src/'.length);
  const named = Object.entries(files).find(([, patterns]) => patterns.some((pattern) => isLike(inSource, pattern)));
  return named?.[0] ?? inSource.replace(/\/.*|\.ts$/, '');
}

function isLike(path: string, pattern: string): boolean {
  return new RegExp(`^${pattern.split('*').map(RegExp.escape).join('[^/]+')}$`).test(path);
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

function problemOfPackage(layer: string, specifier: string, layers: Layers): string | undefined {
  if (specifier.startsWith('node:')) return undefined;
  const name = packageOf(specifier);
  const allowed = layers.packages[name];
  if (allowed === undefined)
    return `imports \`${name}\`, which src/layers.json does not list; built-ins are \`node:…\``;
  if (allowed.includes('*') || allowed.includes(layer)) return undefined;
  return `imports \`${name}\`, which belongs to ${allowed.join(', ')} only`;
}

function problemOfFile(path: string, target: string, { layers, graph }: { layers: Layers; graph: Graph }) {
  if (!target.startsWith('src/')) {
    // Data files are embedded; nothing else outside src/ is part of the program.
    return target.startsWith('resources/') || target === 'package.json' ? undefined : `imports \`${target}\``;
  }
  // Embedded files that a build generates are not tracked.
  if (!graph.files.has(target) && !/\.(?:json|zst)$/.test(target)) return `imports \`${target}\`, which does not exist`;
  const [from, to] = [layerOf(path, layers), layerOf(target, layers)];
  graph.edges.set(path, [...(graph.edges.get(path) ?? []), target]);
  if (from === to || layers.layers[from]?.includes(to)) return undefined;
  return `layer \`${from}\` imports \`${to}\` (\`${target}\`): src/layers.json does not allow it`;
}

function checkFile(path: string, layers: Layers, graph: Graph): string[] {
  const text = withoutComments(readSource(path));
  const { imports, problems } = readImports(text);
  const found = problems.map(({ specifier, line }) => `${path}:${line}: imports a computed path: \`${specifier}\``);
  const layer = layerOf(path, layers);
  if (layers.layers[layer] === undefined) found.push(`${path}: \`${layer}\` is not a layer in src/layers.json`);
  for (const { specifier, line, kind } of imports) {
    if (kind === 'entry' && graph.files.has(normalize(join(dirname(path), specifier)))) continue;
    const problem = specifier.startsWith('.')
      ? problemOfFile(path, normalize(join(dirname(path), specifier)), { layers, graph })
      : problemOfPackage(layer, specifier, layers);
    if (problem !== undefined) found.push(`${path}:${line}: ${problem}`);
  }
  text.split('\n').forEach((line, index) => {
    const global = runtimeGlobal.exec(line)?.[1];
    if (global !== undefined) found.push(`${path}:${index + 1}: uses \`${global}\`, which only one runtime provides`);
  });
  return found;
}

/** Returns the import cycles between files, found by a depth-first walk. */
function findCycles(graph: Graph): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const walk = (path: string, trail: readonly string[]) => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) return void cycles.push(`import cycle: ${[...trail.slice(seenAt), path].join(' → ')}`);
    if (done.has(path)) return;
    for (const next of graph.edges.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.files) walk(path, []);
  return cycles;
}

async function main(): Promise<never> {
  const files = (await listSources('src')).filter((path) => path.endsWith('.ts'));
  const layers = Layers.parse(JSON.parse(readSource('src/layers.json')));
  const graph: Graph = { files: new Set(files), edges: new Map() };
  const problems = [...files.flatMap((path) => checkFile(path, layers, graph)), ...findCycles(graph)];
  reportProblems(
    problems,
    `${files.length} files respect the layers`,
    'Allow the import in src/layers.json, or invert the dependency',
  );
}

if (import.meta.main) await main();
