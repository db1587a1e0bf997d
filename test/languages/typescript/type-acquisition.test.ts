// TypeScript's servers can run npm to fetch types for the packages that a project's package.json names. Opening a project
// must not contact anyone.
import { expect, test } from 'bun:test';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { startClient } from '../../support/client.ts';
import { makeTempDir } from '../../support/temp.ts';
import { makeWorkspace } from '../../support/workspace.ts';

for (const server of ['typescript', 'typescript_native', 'typescript_vts']) {
  test(
    `${server} does not run npm for a project with dependencies`,
    async () => {
      await using workspace = makeWorkspace({
        '.serena/project.yml': `languages: [${server}]\n`,
        'package.json': '{ "name": "p", "dependencies": { "lodash": "4.17.21", "semver": "7.0.0" } }',
        'a.js': "const _ = require('lodash');\nfunction area(x) { return _.add(x, 1); }\narea(2);\n",
      });
      const programs = makeTempDir('programs');
      const log = join(programs, 'npm.log');
      writeFileSync(join(programs, 'npm'), `#!/bin/sh\necho "$@" >> '${log}'\nexit 1\n`);
      chmodSync(join(programs, 'npm'), 0o755);
      const PATH = [programs, process.env.PATH].join(delimiter);
      await using client = await startClient({ args: ['--project', workspace.root], env: { PATH } });
      const area = { name_path: 'area', relative_path: 'a.js' };
      expect((await client.call('find_referencing_symbols', area)).text).toContain('area(2);');
      expect((await client.call('get_diagnostics_for_file', { relative_path: 'a.js' })).isError).toBe(false);
      expect(existsSync(log)).toBe(false);
    },
    5 * 60_000,
  );
}
