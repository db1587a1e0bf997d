// A rename says which lines the project's formatter would wrap now: a formatter that runs before a commit or in CI fails there.
import { expect, test } from 'bun:test';
import { openShared } from '../../support/shared-session.ts';

const timeoutMs = 240_000;

const files = {
  '.serena/project.yml': 'languages: [python]\n',
  'shop.py': `def total(price: int) -> int:
    return price


def twice(price: int) -> int:
    # ${'long '.repeat(10)}
    return total(price) + total(price)
`,
};

const target = { name_path: 'total', relative_path: 'shop.py', new_name: 'total_of_price', dry_run: true };

test(
  'a rename names the lines that get longer than the configured formatter keeps them',
  async () => {
    const pyproject = (text: string) => ({ ...files, 'pyproject.toml': text });
    const notes = async (text: string) => {
      const { client } = await openShared(pyproject(text));
      return (await client.call('rename_symbol', target)).blocks.slice(1).join('\n');
    };
    const black = '[tool.black]\nline-length = 40\n';
    const note = '1 line is longer now than the formatter keeps them: `shop.py` 6 (0-based lines)';
    expect(await notes(black)).toContain(note);
    expect(await notes(black.replace('40', '60'))).toBe('');
    // Without a formatter no length is right.
    expect(await notes('[project]\nname = "shop"\n')).toBe('');
  },
  timeoutMs,
);
