import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { listNamedFiles } from '../../src/config/named-file.ts';
import { outputSchemas } from '../../src/generated/input-schemas.ts';
import { resources } from '../../src/generated/resources.ts';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { listPins, pinned } from '../support/pins.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

/** Upper limits of the size of the tool list, in tokens. */
const budgets: Readonly<Record<string, number>> = {
  'claude-code': 3600,
  'claude-code-deferred': 1950,
  'deferred-loading': 800,
};
const maxManualTokens = 1500;

/** Defaults of optional parameters that compact lists leave out, as JSON. */
const usualDefaults = new Set([undefined, 'null', 'false', '0', '-1', '""', '[]']);

const names = listNamedFiles('contexts', makeTempDir('home')).map(({ name }) => name);

interface ContextAnswers {
  readonly tools: readonly Tool[];
  /** The instructions manual, unless the context leaves the tool out. */
  readonly manual: string | undefined;
}

/** Starts a session with a project in a context, and returns the tool list and the manual that its client gets. */
async function ask(context: string, home = makeHome()): Promise<ContextAnswers> {
  const { root } = makeWorkspace({ 'a.py': 'def one():\n    pass\n' });
  await using client = await startClient({
    args: ['--context', context, '--project', root],
    env: { SERENA_HOME: home },
  });
  const tools = await client.tools();
  const manual = await client.call('initial_instructions');
  return { tools, manual: manual.isError ? undefined : manual.text.replaceAll(root, '/project') };
}

const answers = new Map<string, Promise<ContextAnswers>>();

/** Returns the answers in a context without a configuration of its own; the tests share one session per context. */
function answersIn(context: string): Promise<ContextAnswers> {
  const known = answers.get(context) ?? ask(context);
  answers.set(context, known);
  return known;
}

describe('each context', () => {
  test('lists the tools in its pin', async () => {
    for (const name of names) {
      const { tools } = await answersIn(name);
      const found = tools.map((tool) => `${tool.name}\n`).join('');
      expect(found).toBe(pinned(`contexts/${name}.txt`, found));
    }
    expect(listPins('contexts')).toEqual(names.map((name) => `${name}.txt`).sort());
  });

  test('costs the tokens in the pin, and stays below its limit', async () => {
    const rows: string[] = [];
    for (const name of names) {
      const { tools, manual } = await answersIn(name);
      // Clients keep `_meta` to themselves.
      const listTokens = countTokens(JSON.stringify({ tools: tools.map(({ _meta: _, ...tool }) => tool) }));
      const manualTokens = manual === undefined ? undefined : countTokens(manual);
      expect(manualTokens ?? 0).toBeLessThan(maxManualTokens);
      expect(listTokens).toBeLessThan(budgets[name] ?? Infinity);
      rows.push(`${name}: ${tools.length} tools, ${listTokens} tokens; manual ${manualTokens}\n`);
    }
    const found = rows.join('');
    expect(found).toBe(pinned('tokens.txt', found));
  });

  test('has its own description of a tool where it gives one', async () => {
    const { tools } = await answersIn('chatgpt');
    const usual = await answersIn('desktop-app');
    const changed = tools.filter(
      ({ name, description }) => usual.tools.find((tool) => tool.name === name)?.description !== description,
    );
    expect(changed.map(({ name }) => name).sort()).toEqual(['find_symbol', 'replace_content', 'search_for_pattern']);
  });

  test('lists tools without titles, and output schemas only of tools with data for programs', async () => {
    for (const name of names) {
      const { tools } = await answersIn(name);
      const titles = tools.flatMap(({ title, annotations, inputSchema }) => [
        title,
        annotations?.title,
        inputSchema.title,
      ]);
      expect([name, titles.filter((title) => title !== undefined)]).toEqual([name, []]);
      const typed = tools.filter(({ outputSchema }) => outputSchema !== undefined).map((tool) => tool.name);
      const isForPrograms = ['agent', 'desktop-app', 'oaicompat-agent'].includes(name);
      const withData = tools.filter((tool) => isForPrograms && tool.name in outputSchemas).map((tool) => tool.name);
      expect([name, typed]).toEqual([name, withData]);
    }
  });

  test.each(names)('%s leaves out titles and what is taken for granted, and nothing else', async (name) => {
    const compact = await answersIn(name);
    const home = makeHome();
    mkdirSync(join(home, 'contexts'));
    const text = resources[`contexts/${name}.yml`] ?? '';
    writeFileSync(join(home, 'contexts', `${name}.yml`), `${text}compact_tool_list: false\n`);
    const usual = await ask(name, home);
    for (const { name, title, annotations, inputSchema } of compact.tools) {
      expect([title, annotations?.title, inputSchema.title]).toEqual([undefined, undefined, undefined]);
      const other = usual.tools.find((tool) => tool.name === name);
      const expected = JSON.parse(JSON.stringify({ title: '', ...other?.inputSchema }), (_key, value) => {
        if (typeof value !== 'object' || value === null || typeof value.title !== 'string') return value;
        const { title: __, minimum: ___, minLength: ____, default: fallback, ...rest } = value;
        return usualDefaults.has(JSON.stringify(fallback)) ? rest : { ...rest, default: fallback };
      });
      // The entry of one tool describes them for all.
      if (!['apply_edits', 'replace_in_files', 'run_code'].includes(name)) delete expected.properties.dry_run;
      if (!['apply_edits', 'run_code'].includes(name)) delete expected.properties?.if_clean;
      if (name !== 'find_symbol') delete expected.properties?.include_dependencies;
      if (name !== 'find_referencing_symbols') {
        delete expected.properties?.max_answer_chars;
        delete expected.properties?.cursor;
      }
      delete expected.properties?.check;
      expect(inputSchema).toEqual(expected);
      const { readOnlyHint = false, destructiveHint = true } = annotations ?? {};
      expect(readOnlyHint).toBe(other?.annotations?.readOnlyHint ?? false);
      if (!readOnlyHint) expect(destructiveHint).toBe(other?.annotations?.destructiveHint ?? true);
    }
  });
});
