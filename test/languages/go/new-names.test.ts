// gopls does not nest methods in their types: the scope of a method's name is still its type.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';

const timeoutMs = 5 * 60_000;

testUnless(whyNoGo())(
  'a method may get the name of a method of another type',
  async () => {
    const sample = 'package sample\n\ntype A struct{}\n\nfunc (A) One() {}\n\ntype B struct{}\n\nfunc (B) Two() {}\n';
    const { workspace, client } = await openShared({
      'go.mod': 'module example.com/sample\n\ngo 1.21\n',
      'sample.go': sample,
    });
    await client.ask('rename_symbol', { name_path: 'B/Two', relative_path: 'sample.go', new_name: 'One' });
    expect(readFileSync(workspace.path('sample.go'), 'utf8')).toBe(sample.replace('Two', 'One'));
  },
  timeoutMs,
);
