// The lines that this product's answer to a rename names, as the judge of renames reads them.
import { expect, test } from 'bun:test';
import { namedLines } from '../../../../bench/symbols/edits/named-lines.ts';

const answer = `Renamed \`Field/data\` to \`value\`: 9 files changed, 12 places; incomplete: 39 open
Also changed (0-based lines):
  override or implement the same \`data\`:
    src/fields/core.py:325: FieldList/data
Files:
  src/fields/core.py: 4
Open (0-based lines):
  what it belongs to has no known type:
    [1] src/csrf/core.py:94: if field.current_token != field.data:
    [2] tests/test_list.py:68:12: assert form.a.data == form.b.data
  and 37 more [3-39] in \`tests/test_email.py\` and 8 more files
  To rename these too, keep the ids of those that mean it: rename_symbol {"also":"1-39"}
New problems (0-based lines):
  src/other.py:7: error: no such member
Mentioned (0-based lines):
  [40] README.rst:5: \`\`Field.data\`\` holds the value
Note:
- gopls found these references but did not rename them: \`a.go\` 3, 5 (0-based lines)`;

test('lines that may mean the symbol are separate from lines where the name is text', () => {
  expect(namedLines(answer)).toEqual({
    open: [
      { file: 'src/csrf/core.py', line: 94 },
      { file: 'tests/test_list.py', line: 68 },
      { file: 'a.go', line: 3 },
      { file: 'a.go', line: 5 },
    ],
    others: [{ file: 'README.rst', line: 5 }],
  });
});
