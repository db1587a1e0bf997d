import { defineServer, type ServerSpec } from '../../servers/spec.ts';
import { componentServers, typescript, typescriptOptions } from './servers.ts';

/** A server of components, and the plugin with which TypeScript's server reads its files as well. */
interface Components {
  readonly id: string;
  /** Name of the language in the server's name. */
  readonly language: string;
  readonly extension: keyof typeof componentServers;
  /** Versions by package name, with `typescript-language-server` and the plugin. */
  readonly packages: Readonly<Record<string, string>>;
  readonly plugin: string;
}

/** Returns the companion for the scripts of a project: TypeScript's server with the plugin that also reads components. */
export function typescriptCompanion({ id, language, extension, packages, plugin }: Components): ServerSpec {
  const { [extension]: _, ...others } = componentServers;
  return defineServer({
    ...typescript,
    id,
    name: `typescript-language-server for ${language}`,
    install: [{ from: 'npm', packages, entry: 'node_modules/typescript-language-server/lib/cli.mjs' }],
    initializationOptions: { ...typescriptOptions, plugins: [{ name: plugin, location: '{directory}' }] },
    watchedFiles: [...typescript.watchedFiles, extension],
    referencesMissingFrom: others,
    quirks: { ...typescript.quirks, ignoresUserProgram: true },
  });
}
