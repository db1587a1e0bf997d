// Symbols and files of Java libraries in the sources that Maven fetched, and in those of the JDK.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { startClient, type TestClient } from '../../support/client.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { javaProject, jdkWithSources, jdtls } from '../../support/java-project.ts';
import { openShared } from '../../support/shared-session.ts';
import { describeUnless, testUnless, whyNoProgram } from '../../support/skip.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const whyNoMaven = whyNoProgram('mvn', '--version');
const source = 'Source: syntax tree (no language server is asked about files of dependencies)';

let workspace: Workspace;
let client: TestClient;

const find = async (pattern: string, args: Readonly<Record<string, unknown>> = {}) =>
  (await client.call('find_symbol', { name_path_pattern: pattern, include_dependencies: true, ...args })).blocks;
const read = (path: string, args: Readonly<Record<string, unknown>> = {}) =>
  client.call('read_file', { relative_path: path, ...args });

describeUnless(whyNoMaven)('Java libraries that Maven has with their sources', () => {
  beforeAll(async () => {
    const parent = '<parent><groupId>example</groupId><artifactId>parent</artifactId><version>1</version></parent>';
    const logback =
      '<dependency><groupId>ch.qos.logback</groupId><artifactId>logback-classic</artifactId></dependency>';
    const managed = (version: string) =>
      `<dependencyManagement><dependencies>${logback.replace('</artifactId>', `</artifactId><version>${version}</version>`)}</dependencies></dependencyManagement>`;
    const pom = (content: string) =>
      `<?xml version="1.0"?>\n<!-- A <comment> --><project xmlns="http://maven.apache.org/POM/4.0.0">\n  <modelVersion>4.0.0</modelVersion>\n  ${content}\n</project>\n`;
    workspace = makeWorkspace({
      'pom.xml': pom(
        `<groupId>example</groupId><artifactId>parent</artifactId><version>1</version><packaging>pom</packaging><modules><module>app</module></modules><properties><logback>1.2.13</logback></properties>${managed('${logback}')}`,
      ),
      'app/pom.xml': pom(`${parent}<artifactId>app</artifactId><dependencies>${logback}</dependencies>`),
      'app/src/main/java/app/App.java':
        'package app;\n\nimport org.slf4j.LoggerFactory;\n\npublic class App {\n  Object log = LoggerFactory.getLogger("app");\n}\n',
    });
    // Resolves to the versions of the real program, which the answer has to name.
    // Maven ends before a faster compiler of the virtual machine would pay.
    const env = { MAVEN_OPTS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC', ...process.env };
    execFileSync('mvn', ['--quiet', '--batch-mode', 'dependency:sources'], { cwd: workspace.root, stdio: 'pipe', env });
    client = await startClient({
      args: ['--project', workspace.root],
      env: {
        JAVA_HOME: jdkWithSources ?? '/nonexistent',
        SERENA_HOME: makeHome(stubServers({ java: 'well-behaved' })),
      },
    });
  }, 900_000);
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await workspace[Symbol.asyncDispose]();
  });

  const noJdk =
    'Symbols of Java libraries may be missing: no JDK was found. Ask the user to start with `JAVA_HOME` set.';
  const others = jdkWithSources === undefined ? `${source}\nIncomplete:\n- ${noJdk}` : source;

  test('are searched in the resolved versions, also those that libraries use', async () => {
    const [found = '', ...rest] = await find('LoggerFactory/getILoggerFactory', { include_body: true });
    expect(found).toContain('"relative_path": "<java>/org.slf4j:slf4j-api:1.7.32/org/slf4j/LoggerFactory.java"');
    expect(found).toContain('public static ILoggerFactory getILoggerFactory() {');
    expect(rest).toEqual([others]);
    const [within = ''] = await find('setLevel', { relative_path: '<java>/ch.qos.logback:logback-classic:1.2.13' });
    expect(within).toContain('"name_path": "Logger/setLevel"');
  });

  test('are read by address, and not changed', async () => {
    const address = '<java>/org.slf4j:slf4j-api:1.7.32/org/slf4j/ILoggerFactory.java';
    expect((await read(address, { start_line: 24, end_line: 24 })).text).toBe('package org.slf4j;');
    expect((await client.call('get_symbols_overview', { relative_path: address })).text).toContain('ILoggerFactory');
    const edit = { name_path: 'ILoggerFactory', relative_path: address, body: '' };
    expect((await client.call('replace_symbol_body', edit)).text).toContain('belongs to a library');
    for (const [path, reason] of [
      ['<java>/org.slf4j:slf4j-api:1.7.32/org/slf4j', 'it is a directory'],
      ['<java>/org.slf4j:slf4j-api:1.7.36/org/slf4j/Logger.java', 'no dependency of the project has this file'],
      [
        '<java>/org.slf4j:slf4j-api:1.7.32/../1.7.30/slf4j-api-1.7.30.pom',
        'no dependency of the project has this file',
      ],
      ['<java>/../../../../etc/passwd', 'no dependency of the project has this file'],
    ] as const) {
      const { text, isError } = await read(path);
      expect([isError, text]).toEqual([true, expect.stringContaining(reason)]);
    }
  });

  testUnless(jdkWithSources === undefined ? 'no JDK with `lib/src.zip` is installed' : undefined)(
    'include the JDK',
    async () => {
      const [found = ''] = await find('ArrayList/ensureCapacity', { relative_path: '<java>/java.base/java/util' });
      expect(found).toContain('"relative_path": "<java>/java.base/java/util/ArrayList.java"');
      expect((await read('<java>/java.base/java/util/ArrayList.java')).text).toContain('public class ArrayList<E>');
    },
  );
});

const whyNoSources = jdkWithSources === undefined ? 'no JDK with `lib/src.zip` is installed' : undefined;

describe('declarations in the JDK', () => {
  testUnless(jdtls.whyNot ?? whyNoSources)(
    'are found in its sources; of overloads the file is named',
    async () => {
      const app =
        'import java.util.ArrayList;\n\nclass App {\n  void run(ArrayList<String> list) {\n    list.trimToSize();\n    list.remove(0);\n  }\n}\n';
      const { client: own } = await openShared({ ...javaProject, 'src/App.java': app }, { env: jdtls.env });
      const declarationOf = (regex: string) => own.call('find_declaration', { relative_path: 'src/App.java', regex });
      const address = '<java>/java.base/java/util/ArrayList.java';
      expect((await declarationOf('run\\((ArrayList)')).text).toContain(
        `{"name_path": "ArrayList", "kind": "Class", "relative_path": "${address}"`,
      );
      expect((await declarationOf('list\\.(trimToSize)')).text).toContain('"name_path": "ArrayList/trimToSize"');
      const { text, isError } = await declarationOf('list\\.(remove)');
      expect(isError).toBe(true);
      expect(text).toContain(`call \`find_symbol\` with \`remove\` and \`relative_path\` "${address}"`);
    },
    600_000,
  );
});
