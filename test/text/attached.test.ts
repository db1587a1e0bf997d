import { describe, expect, test } from 'bun:test';
import { firstAttachedLine } from '../../src/text/attached.ts';
import { textLines } from '../../src/text/text-lines.ts';

/** Language and text up to a definition; attached lines begin at the line with `»`, or there are none. */
const texts: readonly (readonly [languageId: string, text: string])[] = [
  ['typescript', 'a();\n\n»/**\n * Why.\n */\nfunction f'],
  ['typescript', 'a(); // said\nfunction f'],
  ['typescript', 'a(); /* said\n so */\nfunction f'],
  ['typescript', '»// One.\n// Two.\n@sealed\n@at({\n  x: [1],\n})\nclass A'],
  ['typescript', '// Of the file.\n\nfunction f'],
  ['typescript', 'if (x) {\n  a();\n}\nfunction f'],
  ['typescript', 'const a = [\n  1,\n];\nfunction f'],
  ['typescript', 'call(\n  1,\n)\nfunction f'],
  ['typescript', '#!/usr/bin/env node\nfunction f'],
  ['python', '#!/usr/bin/python3\n# -*- coding: utf-8 -*-\n»# Why.\n@cache\ndef f'],
  ['python', 'x = 1\n»@route(\n    "/a",\n)\ndef f'],
  ['python', '    x = 1\n# Above.\n    def f'],
  ['go', 'var a = 1\n\n»// F does.\n//\n// More.\nfunc F'],
  ['rust', '#![no_std]\n»/// Does.\n#[derive(\n    Debug,\n)]\nstruct S'],
  ['java', '}\n\n»/** Does. */\n@Test\npublic void f'],
  ['csharp', '[assembly: Foo]\n»/// <summary>Does.</summary>\n[Fact]\npublic void F'],
  ['cpp', '#include "a.h"\n»// Does.\ntemplate <typename T>\n[[nodiscard]]\nT f'],
  ['c', '#define A 1\nint f'],
  ['php', '<?php\n»/** Does. */\n#[Pure]\nfunction f'],
  ['elixir', 'end\n\n»@doc """\nDoes.\n"""\n@spec f(a) :: b\ndef f'],
  ['elixir', 'end\n\n»@spec f(a) :: b\ndef f'],
  ['lua', 'local a = 1\n»--- Does.\nfunction f'],
  ['haskell', '»{- | Does.\n-}\nf'],
  ['clojure', '»;; Does.\n(defn f'],
  ['scss', '@import "x";\n»// Does.\n.a'],
  ['html', '»<!-- Does. -->\n<p'],
  ['nobody-knows', '// Does.\nf'],
];

describe('firstAttachedLine()', () => {
  test.each(texts)('%s: %j', (languageId, text) => {
    const lines = text.split('\n');
    const definition = lines.length - 1;
    const marked = lines.findIndex((line) => line.includes('»'));
    const found = firstAttachedLine(textLines(text.replace('»', '')), definition, languageId);
    expect(found).toBe(marked < 0 ? definition : marked);
  });
});
