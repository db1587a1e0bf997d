// Questions about Ruby code. A stub stands for the server, which needs a Ruby of the machine: it resolves nothing.
import { expect, test } from 'bun:test';
import { startClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const files = {
  '.serena/project.yml': 'project_name: p\nlanguage_servers: [ruby]\n',
  'field.rb': `class Field
  def clean(value, model = 1)
    value
  end

  def made(value, *others, flag:, size: 1)
    value
  end

  def read(value)
    value
  end

  def bare(a, b)
    a
  end
end

class Other
  attr_reader :read
end
`,
  'use.rb': `x.clean
x.clean 1
x&.clean(1, 2) { |one| one }
x.clean(1, 2, 3)
x.clean(1, model: 2)
x.clean(1, 2, model: 2)
x.clean(*all)
x.clean = 1
x.made(1)
x.made(flag: 1)
x.made(1, 2, 3, flag: true)
x.made(1, flag: true, wrong: 1)
x.made({ flag: true })
x.read(1, 2)
x.bare(1)
x.map(&:bare)
`,
};

test('calls that pass arguments which a method does not take are not open', async () => {
  const home = makeHome(stubServers({ ruby: 'well-behaved' }));
  await using project = makeWorkspace(files);
  await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  const open = async (member: string) => {
    const args = { name_path: `Field/${member}`, relative_path: 'field.rb' };
    const { blocks } = await client.call('find_referencing_symbols', args);
    return [...(blocks[1] ?? '').matchAll(/^ {4}use\.rb:(\d+): /gm)].map(([, line]) => Number(line));
  };
  // Keywords are an argument for a method without keywords; the writer is another method.
  expect(await open('clean')).toEqual([1, 2, 4, 6, 7]);
  expect(await open('made')).toEqual([10]);
  // A reader has the name too.
  expect(await open('read')).toEqual([13]);
  expect(await open('bare')).toEqual([15]);
});
