import { describe, expect, test } from 'bun:test';
import { withPlainText, withSnakeCaseKeys } from '../../src/jetbrains/answers.ts';

describe('withPlainText()', () => {
  const cases: [string, string][] = [
    ['def <b>total</b>(self) -&gt; int', 'def total(self) -> int'],
    ['<html><body>One.<p>Two &amp; <i>three</i>.</body></html>', 'One.\n\nTwo & three.'],
    ['<pre>class <b>A</b>\n  extends B</pre>', 'class A\n  extends B'],
    ['<a href="psi_element://x.Y">Y</a> and <code>z</code>', 'Y and z'],
    ['<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
    ['<h3>Notes</h3>Text', 'Notes\n\nText'],
    ['a<br>b', 'a\nb'],
    ['<img src="x.png">&nbsp;text', 'text'],
    ['<style>p {}</style><script>x()</script>text', 'text'],
    ['1 < 2 and unclosed <b>bold', '1 < 2 and unclosed bold'],
  ];
  for (const [html, text] of cases) {
    test(JSON.stringify(html), async () =>
      expect(await withPlainText({ quick_info: html })).toEqual({ quick_info: text }),
    );
  }

  test('works at any depth, for those two keys only, and drops keys without text', async () => {
    const given = {
      symbols: [{ documentation: '<b>a</b>', body: '<b>a</b>', children: [{ quick_info: '<p></p>', name_path: 'x' }] }],
      documentation: null,
    };
    expect(await withPlainText(given)).toEqual({
      symbols: [{ documentation: 'a', body: '<b>a</b>', children: [{ name_path: 'x' }] }],
      documentation: null,
    });
  });
});

test('withSnakeCaseKeys() rewrites keys at any depth, but no values', () => {
  const given = {
    namePath: 'aB',
    textRange: { startPos: [{ colNo2D: 1 }] },
    HTMLText: null,
    already_snake: 1,
    x: ['aB'],
  };
  expect(withSnakeCaseKeys(given)).toEqual({
    name_path: 'aB',
    text_range: { start_pos: [{ col_no2_d: 1 }] },
    html_text: null,
    already_snake: 1,
    x: ['aB'],
  });
});
