// The lines that this product's notes on a rename name, as the judge of renames reads them.
import { expect, test } from 'bun:test';
import { namedLines } from '../../../../bench/symbols/edits/named-lines.ts';

const notes = `Note:
- also renamed, because they override or implement the same \`data\`: \`Field/data\` (\`src/fields/core.py:325\`)
- the language server cannot resolve 2 occurrences of \`data\` in 2 files; check each of these lines (0-based):
  what it belongs to has no known type:
    src/csrf/core.py:94: if field.current_token != field.data:
    tests/test_list.py:68: assert form.a.data == [{"a": 1}]
  and 35 more lines in \`tests/test_email.py\` and 8 more files
- gopls found these references but did not rename them: \`a.go\` 3, 5 (0-based lines)
- \`data\` still occurs in comments, in strings or as another name: \`CHANGES.rst\` 30, 35; \`README.rst\` 5 (0-based lines) and 304 more`;

test('the lines that may mean the symbol are told from those where the name is text', () => {
  expect(namedLines(notes)).toEqual({
    open: [
      { file: 'src/csrf/core.py', line: 94 },
      { file: 'tests/test_list.py', line: 68 },
      { file: 'a.go', line: 3 },
      { file: 'a.go', line: 5 },
    ],
    others: [
      { file: 'CHANGES.rst', line: 30 },
      { file: 'CHANGES.rst', line: 35 },
      { file: 'README.rst', line: 5 },
    ],
  });
});
