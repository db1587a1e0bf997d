// usage: bun scripts/generate-docs.ts [--check]
// Writes the generated parts of README.md and of documents in docs from the program's own data: tables between their markers, and
// numbers in prose. With --check it writes nothing and fails if a part is not current.
import { readdirSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { z } from 'zod';
import { parseTable } from '../bench/speed/table.ts';
import { Entry } from '../bench/symbols/publishing/entry.ts';
import { renderComparison } from '../bench/symbols/render-comparison.ts';
import { writeTextAtomically } from '../src/base/files.ts';
import { exitCodeMeanings } from '../src/cli/code/exit-codes.ts';
import { codeCommands } from '../src/cli/code/table.ts';
import { clients } from '../src/cli/setup/clients.ts';
import { contextKeys } from '../src/config/context.ts';
import { customQuirkKeys, customServerKeys } from '../src/config/custom-server.ts';
import { projectKeys } from '../src/config/project-config.ts';
import { userKeys } from '../src/config/user-config.ts';
import { parsedResources } from '../src/generated/parsed-resources.ts';
import type { InstallSource } from '../src/install/source/source.ts';
import { servers } from '../src/languages/servers.ts';
import type { ServerSpec } from '../src/servers/spec.ts';
import { syntaxLanguageOf } from '../src/symbols/model/syntax-language.ts';
import { summaryOf } from '../src/tools/tool.ts';
import { tools } from '../src/tools/tools.ts';
import { languagesByTest } from './support/language-names.ts';
import { root } from './support/paths.ts';
import { reportProblems } from './support/report.ts';
import { syntaxAgreement } from './support/syntax-agreement.ts';
import { readSource } from './support/tracked-files.ts';

const Published = z.object({ entries: z.array(Entry) });

/** Renderers of the generated parts, by the name in the markers. */
type Tables = Readonly<Record<string, () => string>>;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns a table of configuration keys with default and description, and below it the keys without effect. */
function keyTable(keys: Readonly<Record<string, z.ZodType>>): string {
  const hasEffect = ([, { description = '' }]: [string, z.ZodType]) => !description.startsWith('Accepted');
  const rows = Object.entries(keys)
    .filter(hasEffect)
    .map(([key, type]) => {
      const usual = JSON.stringify(type.parse(undefined) ?? null);
      return [`\`${key}\``, usual === 'null' ? '' : `\`${usual}\``, type.description ?? ''];
    });
  const others = Object.entries(keys).filter((entry) => !hasEffect(entry));
  const names = others.map(([key]) => `\`${key}\``).join(', ');
  return `${table(['key', 'default', 'meaning'], rows)}\n\nAccepted for \`serena-agent\`, without effect here: ${names}.`;
}

/** Returns a table of configuration keys with their descriptions. */
function descriptionTable(keys: Readonly<Record<string, z.ZodType>>): string {
  return table(
    ['key', 'meaning'],
    Object.entries(keys).map(([key, { description = '' }]) => [`\`${key}\``, description]),
  );
}

const described = z.looseObject({ description: z.string() });

/** Returns a table of the built-in files of a kind with their descriptions. */
function fileTable(kind: string): string {
  const files = Object.entries(parsedResources).filter(([path]) => path.startsWith(`${kind}/`));
  return table(
    ['name', 'for'],
    files.map(([path, content]) => [`\`${basename(path, '.yml')}\``, described.parse(JSON.parse(content)).description]),
  );
}

const readmeTables: Tables = {
  comparison: () => renderComparison(Published.parse(JSON.parse(readSource('docs/symbench.json'))).entries),
  languages: () => {
    const { tested, others } = languagesByTest(servers, (spec) => stateOf(spec) !== 'declared');
    return [
      `**Tested with their language servers** (${tested.length}): ${tested.join(', ')}.`,
      `**Supported, without such a test** (${others.length}): ${others.join(', ')}.`,
    ].join('\n\n');
  },
  clients: () =>
    `${clients
      .map(({ name }) => name)
      .sort((x, y) => x.localeCompare(y, 'en'))
      .join(', ')}.`,
};

const stages = { default: '', optional: 'optional', beta: 'optional, beta' } as const;

const toolTables: Tables = {
  tools: () =>
    table(
      ['tool', 'toolset', '', 'what it does'],
      tools.map((tool) => [
        `\`${tool.name}\``,
        tool.toolset.replaceAll('_', ' '),
        stages[tool.stage ?? 'default'],
        summaryOf(tool).replaceAll('|', '\\|'),
      ]),
    ),
};

/** Returns a table of server-specific settings: those with an effect and their defaults, and those without. */
function settingsTable(): string {
  const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  const rows = servers.flatMap(({ id, ownSettings = {}, ignoredSettings = [] }) => {
    const used = Object.entries(ownSettings).map(([key, usual]) =>
      usual === null ? key : `${key}: ${JSON.stringify(usual)}`,
    );
    return used.length + ignoredSettings.length === 0 ? [] : [[`\`${id}\``, code(used), code(ignoredSettings)]];
  });
  return table(['server', 'settings', 'without effect'], rows);
}

const configurationTables: Tables = {
  'server-settings': settingsTable,
  'user-keys': () => keyTable(userKeys),
  'project-keys': () => keyTable(projectKeys),
  'custom-server-keys': () => descriptionTable(customServerKeys()),
  'custom-server-quirks': () => descriptionTable(customQuirkKeys()),
  contexts: () => fileTable('contexts'),
  'context-keys': () => keyTable(contextKeys),
  modes: () => fileTable('modes'),
};

/**
 * Returns the capabilities that a server lacks, according to its committed conformance answers, and this program does not
 * add.
 */
function missingCapabilities({ id, quirks }: ServerSpec): string {
  const answer = (question: string) => readSource(`test/servers/__answers__/${id}/${question}.txt`);
  const unsupported = answer('capabilities')
    .split('\n')
    .flatMap((line) => (line.endsWith(' no') ? [line.slice(0, -' no'.length)] : []));
  const { noDiagnosticsReason, diagnosticsGap } = quirks ?? {};
  const unfound = noDiagnosticsReason !== undefined ? ['diagnostics'] : diagnosticsGap ? ['compiler diagnostics'] : [];
  const isAdded = (name: string) => name === 'implementation' && !answer(name).includes('does not support');
  const lacks = [...unsupported.filter((name) => !isAdded(name)), ...unfound];
  return lacks.length === 0 ? '' : `; no ${lacks.join(', ')}`;
}

/** Base name of a test file, which is the id of a server where it asks that one → its path. */
const conformanceTests = new Map(
  ['test/languages', 'test/servers']
    .flatMap((directory) =>
      readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' }).map((path) => `${directory}/${path}`),
    )
    .map((path) => [basename(path), path.replaceAll(sep, '/')]),
);

/** Returns whether the conformance suite tests a server: always, if it is installed, or not at all. */
function stateOf(spec: ServerSpec): string {
  const { id } = spec;
  const path = conformanceTests.get(`${id}.test.ts`);
  const test = path === undefined ? '' : readSource(path);
  if (test.includes('describeServer(')) return `proven${missingCapabilities(spec)}`;
  return test.includes('describeInstalled(') ? `proven where installed${missingCapabilities(spec)}` : 'declared';
}

function originOf(source: InstallSource): string {
  switch (source.from) {
    case 'npm':
    case 'pypi':
      return Object.entries(source.packages)
        .map(([name, version]) => `${source.from} \`${name}\` ${version}`)
        .join(', ');
    case 'go':
      return `go \`${source.module}\` ${source.version}`;
    case 'archive':
      return `release ${source.version}`;
    case 'path':
      return `${source.bins.map((bin) => `\`${bin}\``).join(' or ')} on \`PATH\``;
    case 'attach':
      return `port ${source.port}`;
    case 'gem':
      return `gem \`${source.gem}\` ${source.version}`;
    case 'dotnet':
      return `.NET tool \`${source.tool}\` ${source.version}`;
  }
}

function needsOf({ requires = [], install, quirks }: ServerSpec): string {
  const programs = requires.map(({ program }) => `\`${program}\``);
  const pythons = install.flatMap((source) =>
    source.from === 'pypi' && 'python' in source.run ? [`Python ${source.run.atLeast} or newer`] : [],
  );
  const hasGo = install.some((source) => source.from === 'go');
  const own = [...pythons, ...(hasGo ? ['Go'] : [])];
  const requiredDirectory = quirks?.requiredDirectory;
  const directories = requiredDirectory === undefined ? [] : [`\`${requiredDirectory.path}\` in the project`];
  return [...own, ...programs, ...directories].join(', ');
}

function explicitChoiceOf({ needsExplicitChoice, standsInFor }: ServerSpec): string {
  if (needsExplicitChoice !== true) return '';
  return standsInFor === undefined ? 'yes' : `or with \`${standsInFor.npmPackage}\` ≥ ${standsInFor.fromMajor}`;
}

/** Returns which of a server's files have a syntax table, and how far the table agrees with the server. */
function syntaxOf(spec: ServerSpec): string {
  const extensions = Object.keys(spec.files);
  const parsed = extensions.filter((extension) => syntaxLanguageOf(spec, `file${extension}`) !== undefined);
  if (parsed.length === 0) return '';
  const which = parsed.length === extensions.length ? 'yes' : parsed.map((extension) => `\`${extension}\``).join(' ');
  const agreement = syntaxAgreement[spec.id];
  return agreement === undefined ? which : `${which}; ${agreement.common} of ${agreement.all}`;
}

const serverTables: Tables = {
  servers: () =>
    table(
      ['id', 'server', 'files', 'from', 'needs', 'only if named', 'syntax', 'state'],
      servers.map((spec) => [
        `\`${spec.id}\``,
        `[${spec.name}](${spec.homepage})${spec.license === undefined ? '' : `, ${spec.license.terms}`}`,
        Object.keys(spec.files)
          .map((extension) => `\`${extension}\``)
          .join(' '),
        spec.install.map(originOf).join('; else '),
        needsOf(spec),
        explicitChoiceOf(spec),
        syntaxOf(spec),
        stateOf(spec),
      ]),
    ),
};

const commandTables: Tables = {
  'code-commands': () =>
    table(
      ['command', 'what it does'],
      codeCommands.map(({ name, operands, description }) => [
        `\`serena ${[name, ...operands.map((operand) => operand.name)].join(' ')}\``,
        description,
      ]),
    ),
  'exit-codes': () =>
    table(
      ['code', 'meaning'],
      exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
    ),
};

/** Returns a figure of a row of docs/benchmarks.md as seconds with one digit after the point. */
function seconds(what: string): string {
  const row = parseTable(readSource('docs/benchmarks.md')).find((candidate) => candidate.what === what);
  const [, milliseconds] = /^([\d.]+) ms/.exec(row?.ours ?? '') ?? [];
  if (milliseconds === undefined) throw new Error(`docs/benchmarks.md has no times for \`${what}\``);
  return (Number(milliseconds) / 1000).toFixed(1);
}

/** Returns the tokens of a context's tool list, according to the test that counts them, rounded to hundreds. */
function listTokens(context: string): string {
  const [, tokens] =
    new RegExp(`^${context}: .*?, (\\d+) tokens`, 'm').exec(readSource('test/surface/tokens.txt')) ?? [];
  return (Math.round(Number(tokens) / 100) * 100).toLocaleString('en');
}

/** Returns the default of a number among the user's keys. */
function usual(key: 'tool_timeout' | 'symbol_info_budget' | 'default_max_tool_answer_chars' | 'service_idle_minutes') {
  return z.number().parse(userKeys[key].parse(undefined)).toLocaleString('en');
}

const django = 'Django 5.2.8';
const provenCount = () => servers.filter((spec) => stateOf(spec) !== 'declared').length;

/**
 * Numbers in prose: wherever a document has the phrase, with any number in place of `#`, the number becomes the value. Each
 * phrase occurs at least once.
 */
const figures: readonly (readonly [phrase: string, value: () => string])[] = [
  ['knows # language servers', () => String(servers.length)],
  ['All # tools, in the order', () => String(tools.length)],
  ['our tests ask # of them', () => String(provenCount())],
  ['`tool_timeout` (# s)', () => usual('tool_timeout')],
  ['`symbol_info_budget` (# s', () => usual('symbol_info_budget')],
  ['`default_max_tool_answer_chars` (#)', () => usual('default_max_tool_answer_chars')],
  ['exits # minutes after the last one', () => usual('service_idle_minutes')],
  ['about # tokens in `claude-code`', () => listTokens('claude-code')],
  ['from a syntax tree, # s', () => seconds(`spawn → get_symbols_overview of one file, no server running, ${django}`)],
];

/** Returns the text with the current {@link figures}; adds the phrases that it has to `found`. */
function withFigures(text: string, found: Set<string>): string {
  return figures.reduce((updated, [phrase, value]) => {
    const escaped = phrase.replaceAll(/[()]/g, '\\$&').replaceAll(' ', '\\s+');
    const [before, after] = escaped.split('#');
    return updated.replaceAll(new RegExp(`(${before})\\d[\\d.,]*(?=${after})`, 'g'), (_, start: string) => {
      found.add(phrase);
      return `${start}${value()}`;
    });
  }, text);
}

/** The documents with generated tables or {@link figures}. */
const documents: Readonly<Record<string, Tables>> = {
  'README.md': readmeTables,
  'docs/agents.md': {},
  'docs/clients.md': {},
  'docs/command-line.md': commandTables,
  'docs/compatibility.md': {},
  'docs/configuration.md': configurationTables,
  'docs/installation.md': {},
  'docs/migrating.md': {},
  'docs/servers.md': serverTables,
  'docs/tools.md': toolTables,
};

function withTables(file: string, tables: Tables): string {
  let updated = readSource(file);
  for (const [name, render] of Object.entries(tables)) {
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
    const [before, rest] = updated.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined) throw new Error(`${file} lacks the markers ${begin} … ${end}`);
    updated = `${before}${begin}\n${render()}\n${end}${after}`;
  }
  return updated;
}

function main(): never {
  const stale: string[] = [];
  const found = new Set<string>();
  for (const [file, tables] of Object.entries(documents)) {
    const updated = withFigures(withTables(file, tables), found);
    if (updated === readSource(file)) continue;
    stale.push(file);
    if (!process.argv.includes('--check')) writeTextAtomically(join(root, file), updated);
  }
  const unused = figures.filter(([phrase]) => !found.has(phrase)).map(([phrase]) => `no document says \`${phrase}\``);
  if (process.argv.includes('--check')) {
    const problems = [...stale.map((file) => `${file}: a table or figure is not current`), ...unused];
    reportProblems(problems, 'tables and figures are current', 'Run `npm run format`');
  }
  return reportProblems(unused, stale.length === 0 ? 'Tables were current' : `Wrote ${stale.join(', ')}`);
}

if (import.meta.main) main();
