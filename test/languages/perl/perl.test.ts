import { expect } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { perl } from '../../../src/languages/perl/servers.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { startClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

/** The tests do not install Perl's packages. */
function whyNot(): string | undefined {
  const { status } = spawnSync('perl', ['-MPerl::LanguageServer', '-e', '1']);
  return status === 0 ? undefined : 'Perl has no `Perl::LanguageServer` here';
}

const files = {
  'helper.pl': 'use strict;\n\n# Helps.\nsub helper_function {\n    my ($n) = @_;\n    return $n;\n}\n\n1;\n',
  'a #lib/Price.pm': 'package Price;\n\nsub total { return 1 }\nsub cheap { return 1 }\n\n1;\n',
  'main.pl':
    "use strict;\nBEGIN { open my $ran, '>', 'ran.txt' }\nrequire './helper.pl';\n\nsub main {\n    helper_function();\n    my $ü = '🧾'; Price::cheap(); total();\n}\n\nsub total { return 2 }\n\nmain();\n",
};

testUnless(whyNot())(
  `${perl.name}: a name leads to its definition, in the files as they are, without running them`,
  async () => {
    const project = makeWorkspace({ ...files, '.serena/project.yml': 'language_servers: [perl]\n' });
    await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
    const declaration = async (regex: string) =>
      JSON.parse(await client.ask('find_declaration', { relative_path: 'main.pl', regex }));
    const helper = { name_path: 'helper_function', relative_path: 'helper.pl' };
    expect(await declaration('    (helper_function)\\(\\);')).toMatchObject({
      ...helper,
      body_location: { start_line: 3, end_line: 6 },
    });
    expect(await declaration(' (total)\\(\\);')).toMatchObject({ name_path: 'total', relative_path: 'main.pl' });
    expect(await declaration('::(cheap)')).toMatchObject({ name_path: 'cheap', relative_path: 'a #lib/Price.pm' });
    project.write('helper.pl', `# Moved.\n${files['helper.pl']}`);
    expect(await declaration('    (helper_function)\\(\\);')).toMatchObject({
      ...helper,
      body_location: { start_line: 4, end_line: 7 },
    });
    const uses = await client.call('find_referencing_symbols', helper);
    expect(uses.blocks).toHaveLength(1);
    expect(JSON.parse(uses.text)).toEqual({
      'main.pl': {
        Function: [expect.objectContaining({ name_path: 'main', body_location: { start_line: 4, end_line: 7 } })],
      },
    });
    const faults = await client.call('get_diagnostics_for_file', { relative_path: 'main.pl' });
    expect(faults.blocks.at(-1)).toContain('does not compile files here');
    expect(readdirSync(project.root).sort()).toEqual(['.serena', 'a #lib', 'helper.pl', 'main.pl']);
  },
  questionTimeoutMs,
);
