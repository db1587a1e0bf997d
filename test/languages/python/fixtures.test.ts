// Fixtures of pytest, which tests ask for by the name of a parameter or in a string.
import { expect, test } from 'bun:test';
import { explainedReferences } from '../../support/explained-references.ts';
import { openShared } from '../../support/shared-session.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'tests/conftest.py': `import pytest


@pytest.fixture
def account():
    return {"total": 1}


@pytest.fixture()
def user(account):
    return account


@pytest.fixture(name="clock")
def make_clock():
    return 1


@pytest.fixture(autouse=True)
def prepared():
    yield
`,
  'tests/test_shop.py': `import pytest
from unittest import mock


def test_total(account: dict[str, int]):
    assert account["total"] == 1

    def account_of(account):
        return account

    assert account_of(account) is account


@pytest.mark.usefixtures("account")
def test_user(user):
    assert user


class TestRequest:
    def test_value(self, request, user):
        assert request.getfixturevalue("account") is user


@pytest.mark.parametrize("account", [1, 2])
def test_given(account):
    assert account


@pytest.mark.parametrize("size, account", [(1, 2)], indirect=["account"])
def test_indirect(size, account):
    assert account


@mock.patch("os.getcwd")
def test_patched(account):
    assert account


def test_clock(clock):
    assert clock == 1


def helper(account):
    return account
`,
  'other/test_other.py': `def test_elsewhere(account):
    return account
`,
};

const account = { name_path: 'account', relative_path: 'tests/conftest.py' };

test(
  'fixtures are used by the parameters and strings that ask for them',
  async () => {
    const { workspace, client } = await openShared(files);
    const explained = await explainedReferences(client, 'account', 'tests/conftest.py');
    expect(explained.filter((one) => !one.startsWith('other '))).toEqual([
      'own tests/conftest.py:9 fixture',
      'own tests/test_shop.py:4 fixture',
      'own tests/test_shop.py:13 fixture',
      'own tests/test_shop.py:20 fixture',
      'own tests/test_shop.py:28 fixture',
      'own tests/test_shop.py:28 fixture',
      'own tests/test_shop.py:29 fixture',
      'open tests/test_shop.py:34 fixture',
    ]);
    const { blocks } = await client.call('rename_symbol', { ...account, new_name: 'ledger' });
    expect(blocks[0]).toContain('a decorator may pass something else');
    expect(workspace.read('tests/conftest.py')).toBe(files['tests/conftest.py'].replaceAll('account', 'ledger'));
    const [asking = '', given = ''] = files['tests/test_shop.py'].split('@pytest.mark.parametrize("account"');
    const nested = 'def account_of(account):\n        return account\n';
    const renamed = asking
      .replaceAll(/\baccount\b/g, 'ledger')
      .replace('def account_of(ledger):\n        return ledger\n', nested);
    const indirect = given
      .replace('"size, account"', '"size, ledger"')
      .replace('indirect=["account"]', 'indirect=["ledger"]')
      .replace('(size, account):\n    assert account', '(size, ledger):\n    assert ledger');
    expect(workspace.read('tests/test_shop.py')).toBe(`${renamed}@pytest.mark.parametrize("account"${indirect}`);
    expect(workspace.read('other/test_other.py')).toBe(files['other/test_other.py']);
  },
  timeoutMs,
);

test(
  'fixtures that tests ask for are not deleted, nor those that pytest finds by their decorator',
  async () => {
    const { workspace, client } = await openShared(files);
    const deletion = async (name: string) => {
      const { text } = await client.call('safe_delete_symbol', {
        name_path_pattern: name,
        relative_path: 'tests/conftest.py',
      });
      return text;
    };
    expect(await deletion('account')).toContain('Cannot delete `account`');
    for (const name of ['make_clock', 'prepared']) {
      expect(await deletion(name)).toContain('something may find it by `@pytest.fixture`');
    }
    expect(workspace.read('tests/conftest.py')).toBe(files['tests/conftest.py']);
  },
  timeoutMs,
);

test(
  'a fixture that another one may replace is open, with the other one',
  async () => {
    const { client } = await openShared({
      'conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n',
      'test_plain.py': 'def test_plain(client):\n    assert client == 1\n',
      'web/conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef client(client):\n    return client + 1\n',
      'web/test_web.py': 'def test_web(client):\n    assert client == 2\n',
      'db/test_db.py':
        'import pytest\n\n\nclass TestDb:\n    @pytest.fixture\n    def client(self):\n        return 3\n\n    def test_db(self, client):\n        assert client == 3\n',
    });
    const explained = await explainedReferences(client, 'client', 'conftest.py');
    expect(explained.filter((one) => !one.startsWith('other '))).toEqual([
      'open db/test_db.py:5 fixture',
      'open db/test_db.py:8 fixture',
      'open web/conftest.py:4 fixture',
      'open web/test_web.py:0 fixture',
      'own test_plain.py:0 fixture',
      'own web/conftest.py:4 fixture',
    ]);
  },
  timeoutMs,
);

test(
  'a fixture of a plain module is used where the module is loaded',
  async () => {
    const { client } = await openShared({
      'tests/__init__.py': '',
      'tests/stores.py':
        'import pytest\n\n\n@pytest.fixture\ndef store():\n    return 1\n\n\n@pytest.fixture\ndef shelf():\n    return 1\n',
      'tests/plugins.py': 'import pytest\n\n\n@pytest.fixture\ndef loaded():\n    return 1\n',
      'tests/unit/__init__.py': '',
      'tests/unit/conftest.py': 'pytest_plugins = ["tests.plugins"]\n\nfrom ..stores import store\n',
      'tests/unit/test_store.py': 'def test_store(store, shelf, loaded):\n    assert store == shelf == loaded\n',
    });
    const found = async (name: string, file: string) => {
      return (await explainedReferences(client, name, file)).filter((one) => one.endsWith('fixture'));
    };
    expect(await found('store', 'tests/stores.py')).toEqual(['own tests/unit/test_store.py:0 fixture']);
    expect(await found('shelf', 'tests/stores.py')).toEqual(['open tests/unit/test_store.py:0 fixture']);
    expect(await found('loaded', 'tests/plugins.py')).toEqual(['own tests/unit/test_store.py:0 fixture']);
  },
  timeoutMs,
);
