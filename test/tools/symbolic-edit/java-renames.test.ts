// jdtls leaves out references in files outside the build's project, and renames what looks like accessors of a field.
import { expect } from 'bun:test';
import { startClient } from '../../support/client.ts';
import { mistakenJavaFiles } from '../../support/java-mistaken-references.ts';
import { findJdtls } from '../../support/jdtls.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 600_000;
const jdtls = findJdtls();
const env = 'bin' in jdtls ? { PATH: `${jdtls.bin}:${process.env.PATH}` } : {};
const files: Readonly<Record<string, string>> = {
  '.project':
    '<projectDescription><name>shop</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>',
  '.classpath':
    '<classpath><classpathentry kind="src" path="src"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="target/classes"/></classpath>',
  ...mistakenJavaFiles,
};

testUnless('whyNot' in jdtls ? jdtls.whyNot : undefined)(
  'a rename finds what follows a Unicode escape, and leaves accessors',
  async () => {
    await using workspace = makeWorkspace(files);
    await using client = await startClient({ args: ['--project', workspace.root], env });
    const trim = { name_path: 'Text/trim', relative_path: 'src/shop/Text.java', new_name: 'cut' };
    // The first call waits for the server to import the project.
    const { text } = await client.call('rename_symbol', trim, { timeoutMs });
    expect(text).toBe('Renamed `Text/trim` to `cut`: 3 files changed.');
    expect(workspace.read('src/shop/Escapes.java')).toContain('= Text.cut("\\\\u0022")');
    expect(workspace.read('extra/Loose.java')).toContain('"\\u0022 + Text.cut("a") + "Text.trim"');
    const product = 'src/shop/Product.java';
    await client.call('rename_symbol', { name_path: 'Pair/key', relative_path: product, new_name: 'first' });
    expect(workspace.read(product)).toBe(
      (files[product] ?? '').replace('    K key;', '    K first;').replace('return key;', 'return first;'),
    );
  },
  timeoutMs,
);
