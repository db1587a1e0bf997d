import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../../scripts/support/paths.ts';

const directory = join(root, '.github/workflows');
const names = readdirSync(directory).sort();

const Permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));
const Step = z
  .strictObject({
    name: z.string().optional(),
    uses: z.string().optional(),
    with: z.record(z.string(), z.unknown()).optional(),
    run: z.string().optional(),
    if: z.string().optional(),
    env: z.record(z.string(), z.string()).optional(),
    shell: z.string().optional(),
  })
  .refine((step) => (step.uses === undefined) !== (step.run === undefined), 'either `uses` or `run`');
const Job = z.strictObject({
  'runs-on': z.string(),
  'timeout-minutes': z.number(),
  needs: z.string().optional(),
  environment: z.string().optional(),
  permissions: Permissions.optional(),
  strategy: z.unknown().optional(),
  steps: z.array(Step).min(1),
});
const Workflow = z.strictObject({
  name: z.string(),
  on: z.unknown(),
  permissions: Permissions,
  concurrency: z.unknown().optional(),
  jobs: z.record(z.string(), Job),
});

const read = (name: string) => readFileSync(join(directory, name), 'utf8');
const workflow = (name: string) => Workflow.parse(parse(read(name)));
const stepsOf = (name: string) => Object.values(workflow(name).jobs).flatMap(({ steps }) => steps);
const commandsOf = (name: string) => stepsOf(name).flatMap(({ run }) => (run === undefined ? [] : [run]));
const { scripts } = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const testFiles = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => `test/${path.replaceAll('\\', '/')}`);

test('there is a workflow for checks, servers, the binary and releases', () => {
  expect(names).toEqual(['binary.yml', 'check.yml', 'release.yml', 'servers.yml']);
});

describe.each(names)('%s', (name) => {
  test('is a valid workflow with the name of its file', () => {
    expect(`${workflow(name).name}.yml`).toBe(name);
    const { jobs } = workflow(name);
    for (const { needs } of Object.values(jobs)) if (needs !== undefined) expect(Object.keys(jobs)).toContain(needs);
  });

  test('pins every action by commit, with its version in a comment', () => {
    const lines = read(name)
      .split('\n')
      .filter((line) => /\buses:/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('has read permission only, except in the publishing job', () => {
    const { permissions, jobs } = workflow(name);
    expect(permissions).toEqual({ contents: 'read' });
    const wider = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
    expect(wider.map(([id]) => `${name} ${id}`)).toEqual(name === 'release.yml' ? ['release.yml publish'] : []);
    for (const step of stepsOf(name).filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
      expect(step.with).toMatchObject({ 'persist-credentials': false });
    }
  });

  test('calls existing scripts and tests', () => {
    const commands = commandsOf(name).join('\n');
    for (const [, script = ''] of commands.matchAll(/npm (?:run )?((?<=run )[\w:-]+|test)/g)) {
      expect(Object.keys(scripts)).toContain(script);
    }
    for (const [path] of commands.matchAll(/\bscripts\/[\w./-]+/g)) expect(existsSync(join(root, path))).toBe(true);
    for (const [, filters = ''] of commands.matchAll(/npm test -- (.*)/g)) {
      for (const filter of filters.split(' ').filter((one) => one !== '--full')) {
        expect(testFiles.filter((path) => path.includes(filter)).length).toBeGreaterThan(0);
      }
    }
  });

  test('puts no untrusted text into a command', () => {
    for (const command of commandsOf(name)) expect(command).not.toContain('${{');
  });
});

test('every script of package.json exists', () => {
  for (const command of Object.values(scripts)) {
    for (const [path] of command.matchAll(/\bscripts\/[\w./-]+/g)) expect(existsSync(join(root, path))).toBe(true);
  }
});
