import { isExpected } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { requestDiagnostics } from '../../lsp/features/diagnostics.ts';
import type { LibrarySource } from '../../servers/adapter.ts';
import type { Quirks } from '../../servers/quirks.ts';
import { defineServer, onPath } from '../../servers/spec.ts';
import { importsOfMovedJavaFile, moveJavaSymbol, noLongerPrivate } from './moves.ts';
import { renameDespiteHomonyms } from './renames.ts';

/**
 * jdtls 1.59 publishes diagnostics without a version, late, and at first about the previous text of a document:
 *
 * ```java
 * int total = missing;   // `missing` was declared in another file a moment ago, and is still reported as unknown
 * ```
 *
 * It answers `java/buildWorkspace` once it has compiled all changes, and `java.project.refreshDiagnostics` once it has
 * published what is true then.
 *
 * @throws {ExpectedError} as {@link requestDiagnostics}.
 */
const requestRefreshedDiagnostics: NonNullable<Quirks['diagnostics']> = async (server, file, limits) => {
  const command = 'java.project.refreshDiagnostics';
  try {
    await server.request('java/buildWorkspace', [false], limits);
    const refresh = { command, arguments: [server.files.uriOf(file), 'thisFile', false] };
    await server.request('workspace/executeCommand', refresh, limits);
  } catch (error) {
    if (!isExpected(error, 'server.refused')) throw error;
    log('servers').debug(error.message);
    return requestDiagnostics(server, file, limits);
  }
  return server.documents.published.latest(file, limits);
};

const classFile = /^jdt:\/\/contents\/([^/?]+)\/([\w.$]*)\/([\w$]+)\.class(?:\?|$)/;

/** Returns the source file of a class file, such as `jdt://contents/java.base/java.util/Map$Entry.class?…`. */
function sourceOfClass(uri: string): LibrarySource | undefined {
  const [, container, packages = '', name = ''] = classFile.exec(uri) ?? [];
  if (container === undefined) return undefined;
  const file = `${name.replace(/(?<=.)\$.*$/, '')}.java`;
  return { container, path: packages === '' ? file : `${packages.replaceAll('.', '/')}/${file}` };
}

const version = '1.54.0-923';

function asset(platform: string, config: string, program = 'java') {
  const file = `java-${platform}-${version}.vsix`;
  return { file, bin: 'extension/server/plugins', words: { config, java: program } };
}

export const java = defineServer({
  id: 'java',
  name: 'Eclipse JDT language server',
  homepage: 'https://github.com/eclipse-jdtls/eclipse.jdt.ls',
  files: { '.java': 'java' },
  install: [
    onPath('jdtls', 'install jdtls, as with `brew install jdtls`'),
    {
      from: 'archive',
      version,
      url: 'https://github.com/redhat-developer/vscode-java/releases/download/v1.54.0/{file}',
      assets: {
        'linux-x64': asset('linux-x64', 'config_linux'),
        'linux-arm64': asset('linux-arm64', 'config_linux_arm'),
        'darwin-x64': asset('darwin-x64', 'config_mac'),
        'darwin-arm64': asset('darwin-arm64', 'config_mac_arm'),
        'win32-x64': asset('win32-x64', 'config_win', 'java.exe'),
      },
      runs: {
        // The archive contains the Java runtime; its directory's name has the version.
        by: '{find:extension/jre/*}/bin/{java}',
        args: [
          '--add-modules=ALL-SYSTEM',
          '--add-opens=java.base/java.util=ALL-UNNAMED',
          '--add-opens=java.base/java.lang=ALL-UNNAMED',
          '--add-opens=java.base/sun.nio.fs=ALL-UNNAMED',
          '-Declipse.application=org.eclipse.jdt.ls.core.id1',
          '-Declipse.product=org.eclipse.jdt.ls.core.product',
          '-Dosgi.bundles.defaultStartLevel=4',
          // The installation is read-only; the server writes into its cache directory.
          '-Dosgi.sharedConfiguration.area={directory}/extension/server/{config}',
          '-Dosgi.sharedConfiguration.area.readOnly=true',
          '-Dosgi.configuration.cascaded=true',
          '-Djava.import.generatesMetadataFilesAtProjectRoot=false',
          '-Dfile.encoding=utf8',
          '-Xmx{jdtls_xmx}',
          '-Xms{jdtls_xms}',
          '-javaagent:{find:extension/lombok/lombok-*.jar}',
          '-jar',
          '{find:extension/server/plugins/org.eclipse.equinox.launcher_*.jar}',
        ],
      },
    },
  ],
  args: ['-configuration', '{cache}/configuration', '-data', '{cache}/workspace'],
  env: { syntaxserver: 'false', JAVA_HOME: '{find:extension/jre/*}' },
  // jdtls 1.59 answers requests in this pool, where they wait for the indexer, which searches in the same pool. By default
  // it has a thread less than the machine has processors: with two processors one request can block everything.
  javaOptions: ['-Djava.util.concurrent.ForkJoinPool.common.parallelism=64'],
  versionKey: 'vscode_java_version',
  ownSettings: {
    jdtls_xmx: '3G',
    jdtls_xms: '100m',
    maven_user_settings: null,
    maven_offline: null,
    gradle_user_home: null,
    gradle_java_home: null,
    gradle_version: null,
    gradle_wrapper_enabled: false,
    runtimes: [],
    lombok_show_generated: true,
  },
  ignoredSettings: ['jdtls_path', 'lombok_path', 'java_home', 'use_system_java_home'],
  initializationOptions: {
    // Otherwise the definitions of names of class files are empty, as if the server could not resolve them.
    extendedClientCapabilities: { classFileContentsSupport: true },
    settings: {
      java: {
        configuration: { maven: { userSettings: '{maven_user_settings}' }, runtimes: '{runtimes}' },
        import: {
          maven: { offline: { enabled: '{maven_offline}' } },
          gradle: {
            user: { home: '{gradle_user_home}' },
            java: { home: '{gradle_java_home}' },
            version: '{gradle_version}',
            wrapper: { enabled: '{gradle_wrapper_enabled}' },
          },
        },
        // Otherwise the server adds its default filters of directories to the project's `.project` files.
        project: { resourceFilters: [] },
        symbols: { includeGeneratedCode: '{lombok_show_generated}' },
      },
    },
  },
  ready: { when: 'notified', method: 'language/status', matching: { type: 'ServiceReady' }, timeoutMs: 300_000 },
  watchedFiles: ['pom.xml', 'build.gradle', 'build.gradle.kts', 'settings.gradle', '.classpath'],
  formatsItself: true,
  // `getName(int)`, `Box<T>`
  nameRules: [{ from: /[(<].*$/s }],
  quirks: {
    rename: renameDespiteHomonyms,
    movesToDirectory: importsOfMovedJavaFile,
    failureNotification: { method: 'language/status', matching: { type: 'Error' }, reason: 'message' },
    // jdtls 1.59 reconciles changes late and sometimes reports symbols of the previous text at positions of the new one.
    reopensWhenMatching: /^/,
    diagnostics: requestRefreshedDiagnostics,
    // It always publishes, but after seconds on a busy machine.
    publishing: { timeoutMs: 15_000 },
  },
  adapter: {
    librarySource: sourceOfClass,
    moveSymbol: moveJavaSymbol,
    memberMoves: { widened: noLongerPrivate },
    importActions: { kind: 'quickfix', title: /^Import '/, isWhole: false },
  },
  symbolsVersion: 3,
});
