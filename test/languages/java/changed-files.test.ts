// Files that change between two calls: jdtls publishes late, without a version, and at first about the previous texts.
import { expect } from 'bun:test';
import { javaProject, jdtls } from '../../support/java-project.ts';
import { rounds } from '../../support/rounds.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

const timeoutMs = 600_000;
const changes = rounds(2, 4);

const partsOf = (type: string) =>
  `package shop;\n\nclass Parts {\n    static int part(${type} n) {\n        return 1;\n    }\n}\n`;
const useOf = (value: string) => `package shop;\n\nclass Use {\n    int whole = Parts.part(${value});\n}\n`;

testUnless(jdtls.whyNot)(
  'the errors of a file are those after its last change and after that of other files',
  async () => {
    const files = { ...javaProject, 'src/shop/Parts.java': partsOf('int'), 'src/shop/Use.java': useOf('1') };
    const { workspace, client } = await openShared(files, { env: jdtls.env });
    const answer = async () => {
      const { blocks } = await client.call('get_diagnostics_for_file', { relative_path: 'src/shop/Use.java' });
      return blocks.join('\n');
    };
    expect(await answer()).toBe('{}');
    for (let round = 0; round < changes; round++) {
      workspace.write('src/shop/Use.java', useOf('"one"'));
      expect(await answer()).toContain('arguments (String)');
      workspace.write('src/shop/Parts.java', partsOf('String'));
      expect(await answer()).toBe('{}');
      workspace.write('src/shop/Use.java', useOf('1'));
      expect(await answer()).toContain('arguments (int)');
      workspace.write('src/shop/Parts.java', partsOf('int'));
      expect(await answer()).toBe('{}');
    }
  },
  timeoutMs,
);
