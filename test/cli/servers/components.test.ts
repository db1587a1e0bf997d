import { describe, expect } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { linkOf, startWithDashboard, TestPage } from '../../support/dashboard.ts';
import { makeHome } from '../../support/homes.ts';
import { runProgram } from '../../support/program.ts';
import { testUnless } from '../../support/skip.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const Row = z.object({ id: z.string(), state: z.string(), program: z.string().nullable() });
const Listed = z.object({ servers: z.array(Row.extend({ missing: z.object({ fix: z.string() }).nullable() })) });
const Report = z.object({ findings: z.array(z.object({ what: z.string(), fix: z.string().optional() })) });
const OnPage = z.array(Row.extend({ fix: z.string().nullable() }));

const onWindows = process.platform === 'win32' ? 'Windows runs no shell scripts' : undefined;

/** Programs that run a language server as a component: id, program, and what to run if the component is missing. */
const rows = [
  ['rust', 'rust-analyzer', 'rustup component add rust-analyzer'],
  ['perl', 'perl', 'cpan Perl::LanguageServer'],
  ['r', 'R', 'install.packages("languageserver")'],
  ['julia', 'julia', 'Pkg.add("LanguageServer")'],
  ['ocaml', 'opam', 'opam install ocaml-lsp-server'],
  ['wolfram', 'WolframKernel', 'Wolfram Engine'],
] as const;

/** Returns what `servers list`, `servers path`, `doctor` and the dashboard report with programs that end with a code. */
async function reportsWith(code: number) {
  const bin = makeTempDir('bin');
  const programs = [...rows.map(([, program]) => program), 'cargo', 'rustc'];
  for (const name of programs) writeFileSync(join(bin, name), `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
  const { root } = makeWorkspace({ 'a.rs': '', 'a.pl': '', 'a.R': '', 'a.jl': '', 'a.ml': '', 'a.wl': '' });
  const env = { PATH: bin, SERENA_HOME: makeHome() };
  const listed = await runProgram(['servers', 'list', '--json'], { env });
  const text = await runProgram(['servers', 'list'], { env });
  const path = await runProgram(['servers', 'path', 'rust'], { env });
  const doctor = await runProgram(['doctor', '--json', '--project', root], { env });
  await using client = await startWithDashboard(root, { ls_specific_settings: {} }, { PATH: bin });
  const page = await TestPage.open(await linkOf(client));
  return {
    bin,
    listed: Listed.parse(JSON.parse(listed.stdout)).servers,
    lines: text.stdout.split('\n'),
    path,
    findings: Report.parse(JSON.parse(doctor.stdout)).findings,
    onPage: OnPage.parse(await page.read('servers')),
  };
}

describe('a program on PATH that runs a server as a component', () => {
  testUnless(onWindows)(
    'does not count as the server without the component, and the reports say what to run',
    async () => {
      const { bin, listed, lines, path, findings, onPage } = await reportsWith(1);
      for (const [id, program, fix] of rows) {
        const absent = { state: 'to be installed manually', program: null };
        expect(listed.find((one) => one.id === id)).toMatchObject({
          ...absent,
          missing: { fix: expect.stringContaining(fix) },
        });
        expect(onPage.find((one) => one.id === id)).toMatchObject({ ...absent, fix: expect.stringContaining(fix) });
        expect(lines.find((line) => line.startsWith(`${id} `))).toContain(fix);
        const needed = findings.filter(({ what }) => what.includes(`\`${join(bin, program)}\` lacks it`));
        expect(needed.map((one) => one.fix)).toEqual([expect.stringContaining(fix)]);
      }
      expect(path).toMatchObject({ stdout: '', stderr: expect.stringContaining('rustup component add rust-analyzer') });
    },
  );

  testUnless(onWindows)('counts as the server with the component', async () => {
    const { bin, listed, path, findings, onPage } = await reportsWith(0);
    for (const [id, program] of rows) {
      const here = { state: 'on PATH', program: join(bin, program) };
      expect(listed.find((one) => one.id === id)).toMatchObject(here);
      expect(onPage.find((one) => one.id === id)).toMatchObject(here);
      expect(findings.filter(({ what }) => what.startsWith(`${id}: `) && what.endsWith(here.program))).toHaveLength(1);
    }
    expect(path.stdout).toBe(`${join(bin, 'rust-analyzer')}\n`);
  });
});
