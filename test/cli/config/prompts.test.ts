import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expectClearExit } from '../../support/clear.ts';
import { type Ended, runProgram } from '../../support/program.ts';
import { makeTempDir } from '../../support/temp.ts';

const resources = join(import.meta.dirname, '../../../resources/prompts');
const files = readdirSync(resources).sort();
const textOf = (file: string) => readFileSync(join(resources, file), 'utf8');
const names = files.flatMap((file) => Object.keys(parse(textOf(file)).prompts)).sort();

function inHome(): ((...args: string[]) => Promise<Ended>) & { directory: string } {
  const home = makeTempDir('prompts-home');
  const run = (...args: string[]) => runProgram(['prompts', ...args], { env: { SERENA_HOME: home } });
  return Object.assign(run, { directory: join(home, 'prompt_templates') });
}

describe('prompts', () => {
  test('list shows all prompts and files', async () => {
    const run = inHome();
    const { code, stdout, stderr } = await run('list');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const expected = [
      'Prompts:',
      ...names.map((name) => `  ${name}: default`),
      'Files:',
      ...files.map((file) => `  ${file}`),
    ];
    expect(stdout).toBe(`${expected.join('\n')}\n`);
    expect(await run('list-overrides')).toMatchObject({ code: 0, stdout: '' });
  });

  test('create-override copies a file, which then takes effect', async () => {
    const run = inHome();
    const path = join(run.directory, 'system_prompt.yml');
    expect(await run('create-override', 'system_prompt')).toEqual({ code: 0, stdout: `${path}\n`, stderr: '' });
    expect(readFileSync(path, 'utf8')).toBe(textOf('system_prompt.yml'));
    const { stdout } = await run('list');
    expect(stdout).toContain(`  system_prompt: ${path}\n`);
    expect(stdout).toContain(`  system_prompt.yml (merged with ${path})\n`);
    expect((await run('list-overrides')).stdout).toBe(`${path}\n`);
    expect((await run('edit-override', 'system_prompt.yml')).stdout).toBe(`${path}\n`);
    expectClearExit(await run('create-override', 'system_prompt.yml'), 1, path, 'edit-override');
    expect((await run('delete-override', 'system_prompt')).stdout).toContain(path);
    expect(existsSync(path)).toBe(false);
  });

  test('a file with a new name overrides no file, but its prompts take effect', async () => {
    const run = inHome();
    await run('create-override', 'system_prompt');
    await run('delete-override', 'system_prompt');
    writeFileSync(join(run.directory, 'mine.yml'), 'prompts:\n  system_prompt: Hello {{ name }}.\n');
    expect((await run('list-overrides')).stdout).toBe('');
    const json = JSON.parse((await run('list', '--json')).stdout);
    expect(json.prompts).toContainEqual({ name: 'system_prompt', path: join(run.directory, 'mine.yml') });
    expect(json.files).toContainEqual({ name: 'system_prompt.yml', override: null });
    expect((await run('print-prompt-template', 'system_prompt')).stdout).toBe('Hello {{ name }}.\n');
  });

  test('print-prompt-template prints the template with its placeholders', async () => {
    const run = inHome();
    const { stdout } = await run('print-prompt-template', 'onboarding_prompt');
    expect(stdout.trim()).toBe(String(parse(textOf('simple_tool_outputs.yml')).prompts.onboarding_prompt).trim());
    expect(stdout).toContain('{{');
  });

  test('print-cc-system-prompt-override prints a replacement for the system prompt of Claude Code', async () => {
    const { code, stdout } = await inHome()('print-cc-system-prompt-override');
    expect(code).toBe(0);
    expect(stdout).toContain('Claude Code');
    expect(stdout).not.toMatch(/\{[{%]/);
  });

  test('edit and delete report missing overrides, and check names', async () => {
    const run = inHome();
    expectClearExit(await run('edit-override', 'system_prompt'), 78, 'create-override system_prompt.yml');
    expect(await run('delete-override', 'system_prompt')).toMatchObject({
      code: 0,
      stdout: 'There is no override of system_prompt.yml\n',
    });
    for (const verb of ['create-override', 'edit-override', 'delete-override'])
      expectClearExit(await run(verb, 'sistem_prompt'), 78, 'did you mean `system_prompt.yml`?');
    expectClearExit(await run('print-prompt-template', 'nowhere'), 78, '`nowhere`');
    expect(existsSync(run.directory)).toBe(false);
  });
});
