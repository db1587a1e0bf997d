import type { ScipNames } from '../language-profile.ts';

function packageIn(manifest: string): { name: string; version: string } {
  const [, project = ''] = /^\[(?:project|tool\.poetry)\][ \t]*\n([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(manifest) ?? [];
  const textOf = (key: string) => new RegExp(`^${key}[ \\t]*=[ \\t]*["']([^"'\\n]*)["']`, 'm').exec(project)?.[1] ?? '';
  return { name: textOf('name'), version: textOf('version') };
}

/** As scip-python does: `` scip-python python shop 1.0 `shop.basket`/Basket#total(). `` */
export const pythonScip: ScipNames = {
  language: 'Python',
  scheme: 'scip-python',
  manager: 'python',
  manifest: 'pyproject.toml',
  packageIn,
  namespacesOf: (path) => [
    path
      .replace(/\.pyi?$/, '')
      .replace(/(?:^|\/)__init__$/, '')
      .replaceAll('/', '.') || '__init__',
  ],
};
