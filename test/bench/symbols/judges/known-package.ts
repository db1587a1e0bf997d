import type { BenchLanguage, BenchPackage } from '../../../../bench/symbols/model.ts';

/** Returns a package of a language for the oracles, whose sources a test has written. */
export function knownPackage({ packages }: BenchLanguage, configurations: readonly string[]): BenchPackage {
  const [model] = packages;
  if (model === undefined) throw new Error('the language has no package');
  const { language, serverId, languageId, extensions, program } = model;
  return {
    language,
    name: `known ${language} ${process.pid}`,
    serverId,
    languageId,
    extensions,
    program,
    configurations,
    fetch: async () => undefined,
  };
}
