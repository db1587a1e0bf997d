// Members that code calls without their names: an answer about them is not complete, and not empty where it need not be.
import { expect, test } from 'bun:test';
import { openShared } from '../../support/shared-session.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'shop.py': `class Basket:
    def __init__(self, size):
        self.size = size

    def __call__(self):
        return self.size

    def plain(self):
        return self.size


def make():
    return Basket(1)


def run():
    return make()()
`,
};

test(
  'callers of a constructor make the type, and calls without a name are a gap',
  async () => {
    const { client } = await openShared(files);
    const callers = async (name: string) => {
      const target = { name_path: name, relative_path: 'shop.py', kind: 'callers' };
      return (await client.call('symbol_hierarchy', target)).blocks.join('\n');
    };
    expect(await callers('Basket/__init__')).toContain('make');
    expect(await callers('Basket/__init__')).not.toContain('are missing');
    const gap = 'Calls of `Basket/__call__` are missing: members of this name are called by Python itself';
    expect(await callers('Basket/__call__')).toContain(gap);
    const references = async (name: string) => {
      const target = { name_path: name, relative_path: 'shop.py' };
      return (await client.call('find_referencing_symbols', target)).blocks.join('\n');
    };
    expect(await references('Basket/__call__')).toContain(gap);
    expect(await references('Basket/plain')).not.toContain('are missing');
  },
  timeoutMs,
);
