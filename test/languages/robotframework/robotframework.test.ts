import { expect } from 'bun:test';
import { existsSync } from 'node:fs';
import { robotframework } from '../../../src/languages/robotframework.ts';
import { describeServer, questionTimeoutMs } from '../../servers/conformance.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { startClient } from '../../support/client.ts';
import { ownHome } from '../../support/homes.ts';
import { whyNoServer } from '../../support/server-needs.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const whyNot = whyNoServer(robotframework);

const formatAmount = { namePath: 'Keywords/Format Amount', file: 'resources/amounts.resource' };

describeServer(robotframework, {
  fixture: 'robot',
  questions: {
    overview: ['resources/amounts.resource', 'resources/receipt.resource', 'checkout.robot'],
    find: ['Format Amount', 'Keywords/Total', '/Variables', { part: 'eceipt' }, 'CURRENCY', 'nowhere'],
    body: [
      formatAmount,
      { namePath: 'Variables/COINS', file: 'resources/amounts.resource' },
      { namePath: 'Test Cases/Checkout', file: 'checkout.robot' },
    ],
    containing: [
      { file: 'checkout.robot', at: /= {4}(Format Amount) {4}4/ },
      { file: 'resources/receipt.resource', at: /🧾 \$\{(CURRENCY)/ },
    ],
    references: [
      formatAmount,
      { namePath: 'Keywords/Total', file: 'resources/amounts.resource' },
      { namePath: 'Keywords/Total', file: 'resources/receipt.resource' },
      { namePath: 'Variables/CURRENCY', file: 'resources/amounts.resource' },
      { namePath: 'Keywords/Prepare', file: 'checkout.robot' },
    ],
    implementation: formatAmount,
    diagnostics: { clean: 'clean.robot', broken: 'broken.robot' },
    rename: { file: 'resources/amounts.resource', at: /\n(Format Amount)/, to: 'Render Amount' },
    edit: {
      symbol: formatAmount,
      appended: '\nFormat All\n    Format Amount    7\n',
      defines: 'Format All',
      user: 'checkout.robot',
      prepended: '# A checkout.\n\n',
    },
    external: {
      symbol: formatAmount,
      file: 'label.robot',
      text: '*** Settings ***\nResource    resources/amounts.resource\n\n*** Test Cases ***\nLabel\n    Format Amount    8\n',
      changed:
        '*** Settings ***\nResource    resources/amounts.resource\n\n*** Test Cases ***\nFree\n    Log    free\n    Format Amount    0\n',
      moved: 'tag.robot',
    },
  },
});

/** Code that leaves a file behind if it runs. */
const trace = `open(${JSON.stringify('{root}/trace')}, 'w').close()\n`;

testUnless(whyNot)(
  'robotframework-lsp runs no code of the project',
  async () => {
    await install(robotframework);
    const project = makeWorkspace({
      'coins.robot':
        '*** Settings ***\nLibrary    coins.py\nLibrary    purse\nLibrary    String\nVariables    values.py\n\n*** Test Cases ***\nCoins\n    Count Coins\n    Convert To Lower Case    ${COUNT_COINS}\n',
    });
    const code = trace.replace('{root}', project.root);
    for (const file of [
      'coins.py',
      'purse.py',
      'values.py',
      'sitecustomize.py',
      'robot/__init__.py',
      'robot/libdoc.py',
    ])
      project.write(file, `${code}def count_coins(): pass\nCOUNT_COINS = 1\n`);
    await using opened = await Opened.open(project, robotframework);
    const messages = async () => {
      const { answer } = await opened.askPartly((symbols) => symbols.diagnosticsOfFile('coins.robot'));
      return answer.map(({ diagnostic }) => diagnostic.message);
    };
    expect(await messages()).toEqual([]);
    project.write(
      'coins.robot',
      '*** Settings ***\nLibrary    String\n\n*** Test Cases ***\nCoins\n    Convert To Lower Case\n',
    );
    expect(await messages()).toEqual(['Mandatory argument missing: string']);
    expect(existsSync(project.path('trace'))).toBe(false);
  },
  installTimeoutMs + questionTimeoutMs,
);

testUnless(whyNot)(
  'a keyword is renamed, replaced and found however it is written',
  async () => {
    const resource = '*** Keywords ***\nFormat Amount\n    Log    1\n\nShow\n    Log    2\n';
    const project = makeWorkspace({
      'amounts.resource': resource,
      'user.robot':
        '*** Settings ***\nResource    amounts.resource\n\n*** Test Cases ***\nOne\n    format_amount\n    FORMAT AMOUNT\n    Show\n',
    });
    await using client = await startClient({ args: ['--project', project.root], env: ownHome() });
    const place = { name_path: 'Keywords/Format Amount', relative_path: 'amounts.resource' };
    const body = 'Format Amount\n    Log    3';
    expect(await client.ask('replace_symbol_body', { ...place, body })).toBe('OK');
    expect(project.read('amounts.resource')).toBe(resource.replace('1', '3'));
    const after = { ...place, body: 'Hide\n    Log    4\n' };
    expect(await client.ask('insert_after_symbol', after)).toBe('OK');
    await client.ask('rename_symbol', { ...place, new_name: 'Render Amount' });
    expect(project.read('amounts.resource')).toBe(
      '*** Keywords ***\nRender Amount\n    Log    3\n\nHide\n    Log    4\n\nShow\n    Log    2\n',
    );
    expect(project.read('user.robot')).toContain('One\n    Render Amount\n    Render Amount\n    Show\n');
  },
  questionTimeoutMs,
);
