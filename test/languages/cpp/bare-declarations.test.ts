// clangd resolves `friend class Joint;` to itself if no file that it has read defines the class.
import { expect } from 'bun:test';
import { whyNoClangd } from '../../support/clangd.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless } from '../../support/skip.ts';

testUnless(whyNoClangd())(
  'a class that is only declared may be declared in other files',
  async () => {
    const { workspace, client } = await openShared({
      'a.h': '#pragma once\nclass Joint;\nclass A {\n  Joint *joint;\n};\n',
      'b.h': '#pragma once\nclass B {\n  friend class Joint;\n};\n',
      'main.cpp': '#include "a.h"\nint main() {\n  A a;\n  return 0;\n}\n',
    });
    const place = { name_path: 'Joint', relative_path: 'a.h' };
    const found = await client.call('find_referencing_symbols', place);
    expect(found.blocks[1]).toContain(
      'it declares a type of this name, which no known file defines:\n    b.h:2: friend',
    );
    const renamed = await client.call('rename_symbol', { ...place, new_name: 'Link' });
    expect(renamed.isError).toBe(true);
    expect(renamed.text).toContain('does not resolve with certainty names that may mean it: `b.h` 2');
    expect(workspace.read('a.h')).toContain('class Joint;');
  },
  240_000,
);
