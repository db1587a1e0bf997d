// usage: bun scripts/embed-resources.ts [--check]
// Embeds resources, so that the program needs no other files. Writes src/generated/resources.ts with the text of every file
// that a user may copy, and src/generated/parsed-resources.ts with the content of every context, mode and prompt. Writes src/generated/input-schemas.ts with
// the JSON schemas of all tools. With --check it writes nothing and fails if a file is not current.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { writeTextAtomically } from '../src/base/files.ts';
import { tools } from '../src/tools/tools.ts';
import { inputSchema, outputSchema } from './support/input-schema.ts';
import { packageProgram, root } from './support/paths.ts';
import { parsedResources, textExtensions, textResources } from './support/read-resources.ts';
import { reportProblems } from './support/report.ts';

const notice = '// Written by scripts/embed-resources.ts (`npm run format`); never edited.\n';

/** Module declarations for imports `with { type: 'text' }`, which TypeScript does not know. */
const declarations = textExtensions
  .map((extension) =>
    [
      `declare module '*${extension}' {`,
      '  const text: string;',
      '  // biome-ignore lint/style/noDefaultExport: the runtimes give the text as the default export',
      '  export default text;',
      '}\n',
    ].join('\n'),
  )
  .join('\n');

async function writeModule(): Promise<string> {
  const paths = await textResources();
  const imports = paths.map((path, index) => `import text${index} from '../../${path}' with { type: 'text' };\n`);
  const entries = paths.map((path, index) => `  '${path.slice('resources/'.length)}': text${index},\n`);
  const head =
    '/** The text of each context, mode, prompt file, template and file of the dashboard, by its path below `resources/`, with `/`. */\n';
  return `${notice}${imports.join('')}\n${head}export const resources: Readonly<Record<string, string>> = {\n${entries.join('')}};\n`;
}

async function writeParsedModule(): Promise<string> {
  const paths = await parsedResources();
  const entries = paths.map((path) => {
    const content: unknown = parse(readFileSync(join(root, path), 'utf8'));
    return `  '${path.slice('resources/'.length)}': ${JSON.stringify(JSON.stringify(content))},\n`;
  });
  const head =
    '/** The content of each context, mode and prompt file, as JSON, by its path below `resources/`, with `/`. */\n';
  return `${notice}\n${head}export const parsedResources: Readonly<Record<string, string>> = {\n${entries.join('')}};\n`;
}

function writeSchemas(): string {
  const inputs = tools.map(({ name, input }) => {
    return `  ${name}: ${JSON.stringify(JSON.stringify(inputSchema(input)))},\n`;
  });
  const outputs = tools.flatMap(({ name, data }) => {
    return data === undefined ? [] : [`  ${name}: ${JSON.stringify(JSON.stringify(outputSchema(data())))},\n`];
  });
  return [
    notice,
    "/** The JSON schema of each tool's parameters, as JSON, by the name of the tool. */",
    `export const inputSchemas: Readonly<Record<string, string>> = {\n${inputs.join('')}};\n`,
    "/** The JSON schema of each tool's structured results that have data, as JSON, by the name of the tool. */",
    `export const outputSchemas: Readonly<Record<string, string>> = {\n${outputs.join('')}};\n`,
  ].join('\n');
}

/** Formats `text` with Biome, so that the written files pass `npm run check`. */
async function format(path: string, text: string): Promise<string> {
  const biome = Bun.spawn([packageProgram('biome'), 'check', '--write', `--stdin-file-path=${path}`], {
    cwd: root,
    stdin: new Blob([text]),
    stderr: 'pipe',
  });
  const [formatted, problem] = await Promise.all([
    new Response(biome.stdout).text(),
    new Response(biome.stderr).text(),
  ]);
  if ((await biome.exited) !== 0) throw new Error(`cannot format \`${path}\`: ${problem}`);
  return formatted;
}

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

async function main(): Promise<never> {
  const outputs = [
    { path: 'src/generated/resources.ts', text: await writeModule() },
    { path: 'src/generated/parsed-resources.ts', text: await writeParsedModule() },
    { path: 'src/generated/input-schemas.ts', text: writeSchemas() },
    { path: 'src/generated/text.d.ts', text: `${notice}${declarations}` },
  ];
  const stale: string[] = [];
  for (const { path, text } of outputs) {
    const formatted = await format(path, text);
    if (current(path) === formatted) continue;
    stale.push(path);
    if (!process.argv.includes('--check')) writeTextAtomically(join(root, path), formatted);
  }
  if (process.argv.includes('--check')) {
    const problems = stale.map((path) => `${path}: not current with the files below resources/ and the tools`);
    reportProblems(problems, 'embedded resources are current', 'Run `npm run format`');
  }
  return reportProblems([], stale.length === 0 ? 'Embedded resources were current' : `Wrote ${stale.join(', ')}`);
}

if (import.meta.main) await main();
