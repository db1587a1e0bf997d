// Changes of texts whose lines a server counts differently from LSP.
import { beforeAll, describe, expect, test } from 'bun:test';
import { typescript, typescriptNative, typescriptVts } from '../../../src/languages/typescript/servers.ts';
import { questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { renderRange } from '../../servers/render.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const separators = '// \u2028\u2028\u2028\u2028\n';

describe.each([typescript, typescriptVts, typescriptNative])('$name gets the new text of a file', (spec) => {
  beforeAll(() => install(spec), installTimeoutMs);

  test(
    'whose old text had more lines for the server than for LSP',
    async () => {
      const workspace = makeWorkspace({
        'tsconfig.json': '{}',
        'a.ts': 'export const target = 1;\n',
        'b.ts': `import { target } from './a.ts';\n${separators}export const one = target;\nexport const two = target;\n`,
      });
      await using opened = await Opened.open(workspace, spec);
      const uses = async () => (await opened.references('target', 'a.ts')).map(({ range }) => renderRange(range));
      expect(await uses()).toHaveLength(3);
      workspace.write('b.ts', "import { target } from './a.ts';\nexport const one = target;\n");
      expect(await uses()).toEqual(['0:9-0:15', '1:19-1:25']);
    },
    questionTimeoutMs,
  );
});
