// Every table against a small file whose answers were read by a person: `test/fixtures/syntax/<language>.txt`. `UPDATE=1` writes them.
import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parsedProfiles, type SyntaxLanguage } from '../../src/languages/profiles.ts';
import { SyntaxTrees } from '../../src/syntax/syntax-trees.ts';
import { renderSymbols } from './render.ts';

const directory = fileURLToPath(new URL('../fixtures/syntax', import.meta.url));
const trees = new SyntaxTrees();
afterAll(() => trees.close());

const languageNames = Object.keys(parsedProfiles).filter((name): name is SyntaxLanguage => name in parsedProfiles);
const files = readdirSync(directory).filter((file) => !file.endsWith('.txt'));

describe('the symbols of a file', () => {
  for (const language of languageNames) {
    const { extensions } = parsedProfiles[language];
    test(language, async () => {
      const file = files.find((name) => extensions.some((extension: string) => name === `${language}${extension}`));
      if (file === undefined) throw new Error(`no fixture for ${language}`);
      const text = readFileSync(`${directory}/${file}`, 'utf8');
      const { symbols, hasError } = await trees.outline(language, text);
      const rendered = renderSymbols(symbols);
      const answers = `${directory}/${language}.txt`;
      if (process.env.UPDATE) writeFileSync(answers, rendered);
      expect(hasError).toBe(false);
      expect(rendered).toBe(readFileSync(answers, 'utf8'));
    });
  }
});
