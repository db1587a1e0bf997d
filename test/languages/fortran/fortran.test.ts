import { beforeAll, expect } from 'bun:test';
import { fortran } from '../../../src/languages/fortran.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { startClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { whyNoServer } from '../../support/server-needs.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const whyNot = whyNoServer(fortran);

const formatAmount = { namePath: 'helper/format_amount', file: 'helper.f90' };

describeServer(fortran, {
  fixture: 'fortran',
  questions: {
    overview: ['helper.f90', 'checkout.f90'],
    find: ['basket_total', 'basket/total', '/helper', { part: 'ceipt' }, 'nowhere'],
    body: [
      formatAmount,
      { namePath: 'helper/basket', file: 'helper.f90' },
      { namePath: 'checkout/receipt', file: 'checkout.f90' },
    ],
    containing: [
      { file: 'checkout.f90', at: /'🧾', (format_amount)/ },
      { file: 'checkout.f90', at: /print \*, (format_amount)/ },
      { file: 'helper.f90', at: /cents \* (percent)/ },
    ],
    references: [
      formatAmount,
      { namePath: 'helper/basket', file: 'helper.f90' },
      { namePath: 'helper/basket/total', file: 'helper.f90' },
      { namePath: 'helper/basket/items', file: 'helper.f90' },
    ],
    implementation: { namePath: 'helper/basket/total', file: 'helper.f90' },
    diagnostics: { clean: 'clean.f90', broken: 'broken.f90' },
    rename: { file: 'helper.f90', at: /function (format_amount)\(/, to: 'render_amount' },
    edit: {
      symbol: formatAmount,
      appended: '\nmodule more\n  use helper\n  integer :: free = 0\nend module more\n',
      defines: 'more',
      user: 'checkout.f90',
      prepended: '! A checkout.\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'label.f90',
      text: 'program label\n  use helper\n  print *, format_amount(1)\nend program label\n',
      changed:
        'module free\n  use helper\ncontains\n  subroutine show()\n    print *, format_amount(0)\n  end subroutine show\nend module free\n',
      moved: 'tag.f90',
    },
  },
});

const geometry = `module geometry
  implicit none
  type :: Circle
    real :: radius
  end type Circle
contains
  function area(c) result(a)
    type(Circle), intent(in) :: c
    real :: a
    a = c%radius * 3.0
  end function area

  subroutine show(c)
    type(Circle), intent(in) :: c
    print *, area(c)
  end subroutine show
end module geometry
`;

beforeAll(() => install(fortran), installTimeoutMs);

testUnless(whyNot)(
  'fortls: text is inserted and replaced around a whole procedure or type',
  async () => {
    const project = makeWorkspace({ 'geometry.f90': geometry });
    await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
    const place = (name_path: string) => ({ name_path, relative_path: 'geometry.f90' });
    const empty = '  subroutine empty()\n  end subroutine empty\n';
    const inserted = geometry.replace('end function area\n', `end function area\n\n${empty}`);
    expect(await client.ask('insert_after_symbol', { ...place('area'), body: empty })).toBe('OK');
    expect(project.read('geometry.f90')).toBe(inserted);
    const body = 'subroutine show(c)\n    type(Circle), intent(in) :: c\n  end subroutine show';
    expect(await client.ask('replace_symbol_body', { ...place('show'), body })).toBe('OK');
    expect(project.read('geometry.f90')).toBe(inserted.replace('    print *, area(c)\n', ''));
    const type = '  type :: Square\n    real :: side\n  end type Square\n';
    expect(await client.ask('insert_after_symbol', { ...place('Circle'), body: type })).toBe('OK');
    expect(project.read('geometry.f90')).toContain(`  end type Circle\n\n${type}`);
    expect(await client.call('replace_symbol_body', { ...place('radius'), body: 'real :: diameter' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('its name'),
    });
  },
  questionTimeoutMs,
);

testUnless(whyNot)(
  'fortls: a function is renamed together with the variable of its result',
  async () => {
    const text =
      'module m\ncontains\n  integer function twice(n)\n    integer :: n\n    twice = n * 2\n  end function twice\nend module m\n';
    const project = makeWorkspace({
      'm.f90': text,
      'use.f90': 'program p\n  use m\n  print *, twice(2)\nend program p\n',
    });
    await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
    await client.ask('rename_symbol', { name_path: 'm/twice', relative_path: 'm.f90', new_name: 'double_of' });
    expect(project.read('m.f90')).toBe(text.replaceAll('twice', 'double_of'));
    expect(project.read('use.f90')).toContain('double_of(2)');
  },
  questionTimeoutMs,
);

testUnless(whyNot)(
  'fortls: diagnostics are those of the present text, also when repeated, changed and changed back',
  async () => {
    const project = makeWorkspace({
      'geometry.f90': geometry,
      'user.f90': 'program user\n  use geometry\nend program\n',
    });
    await using opened = await Opened.open(project);
    const told = () =>
      opened.ask(async (symbols) => (await symbols.diagnosticsOfFile('user.f90')).map((one) => one.diagnostic.message));
    expect(await told()).toEqual([]);
    project.write('user.f90', 'program user\n  use geometrie\nend program\n');
    const wrong = await told();
    expect(wrong).toEqual(['Module "geometrie" not found in project']);
    expect(await told()).toEqual(wrong);
    project.write('user.f90', 'program user\n  use geometry\nend program\n');
    expect(await told()).toEqual([]);
  },
  questionTimeoutMs,
);
