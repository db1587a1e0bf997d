import { beforeAll, expect, test } from 'bun:test';
import { fortran } from '../../src/servers/catalog/specs/fortran.ts';
import { startClient } from '../support/client.ts';
import { makeHome } from '../support/homes.ts';
import { makeWorkspace } from '../support/workspace.ts';
import { questionTimeoutMs } from './conformance.ts';
import { install, installTimeoutMs, Opened } from './opened.ts';

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

test(
  'fortls: text is inserted and replaced around a whole procedure or type',
  async () => {
    const project = makeWorkspace({ 'geometry.f90': geometry });
    await using client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: makeHome() } });
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

test(
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
