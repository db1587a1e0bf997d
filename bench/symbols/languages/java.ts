import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mustRun } from '../../speed/fetch.ts';
import { javaEdits } from '../edits/java-edits.ts';
import { javaProgram } from '../exercises/exercises.ts';
import type { BenchLanguage, BenchPackage, Exercise } from '../model.ts';
import { javaDiagnostics } from '../oracles/java-diagnostics.ts';
import { javaImplementations } from '../oracles/java-implementations.ts';
import { javaOverview } from '../oracles/java-overview.ts';
import { javaReferences } from '../oracles/java-references.ts';
import { javaTraps } from '../traps/java.ts';

const shared = {
  language: 'java',
  serverId: 'java',
  languageId: 'java',
  extensions: ['.java'],
  program: 'jdtls',
  readyMessage: { method: 'language/status', pattern: /ServiceReady/ },
  configurations: ['src/main/java', 'src/test/java'],
} as const;

/** What the package is compiled from, as Maven coordinates without classifier. */
interface Artifacts {
  readonly sources: string;
  readonly hasTests: boolean;
  /** Archives that the sources or tests need. */
  readonly libraries: readonly string[];
  readonly exercise?: Exercise;
}

/** Archives of sources have no build file. An Eclipse project is the form that every language server reads offline. */
function javaPackage(name: string, { sources, hasTests, libraries, exercise }: Artifacts): BenchPackage {
  return {
    ...shared,
    name,
    ...(exercise === undefined ? {} : { exercise }),
    async fetch(directory) {
      await unpackSources(directory, `${sources}:jar:sources`, 'src/main/java');
      if (hasTests) await unpackSources(directory, `${sources}:jar:test-sources`, 'src/test/java');
      for (const library of libraries) await copyArtifact(directory, library, 'lib');
      const entries = [
        '<classpathentry kind="src" path="src/main/java"/>',
        ...(hasTests ? ['<classpathentry kind="src" path="src/test/java"/>'] : []),
        '<classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/>',
        ...libraries.map((library) => `<classpathentry kind="lib" path="lib/${archiveOf(library)}"/>`),
        '<classpathentry kind="output" path="target/classes"/>',
      ];
      writeFileSync(join(directory, '.classpath'), xml('classpath', entries));
      const builder =
        '<buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec>';
      const nature = '<natures><nature>org.eclipse.jdt.core.javanature</nature></natures>';
      writeFileSync(join(directory, '.project'), xml('projectDescription', ['<name>package</name>', builder, nature]));
    },
  };
}

function xml(element: string, children: readonly string[]): string {
  const lines = children.map((child) => `  ${child}\n`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${element}>\n${lines}</${element}>\n`;
}

async function unpackSources(directory: string, artifact: string, target: string): Promise<void> {
  await copyArtifact(directory, artifact, 'unpacked');
  const unpacked = join(directory, 'unpacked');
  const [, id, version, , classifier] = artifact.split(':');
  await mustRun('jar', ['xf', `${id}-${version}-${classifier}.jar`], unpacked);
  rmSync(join(unpacked, `${id}-${version}-${classifier}.jar`));
  rmSync(join(unpacked, 'META-INF'), { recursive: true, force: true });
  mkdirSync(join(directory, target), { recursive: true });
  cpSync(unpacked, join(directory, target), { recursive: true });
  rmSync(unpacked, { recursive: true });
}

function copyArtifact(directory: string, artifact: string, target: string): Promise<string> {
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
  const args = ['--batch-mode', '--quiet', goal, `-Dartifact=${artifact}`, `-DoutputDirectory=${target}`];
  return mustRun('mvn', args, directory);
}

function archiveOf(library: string): string {
  const [, id, version] = library.split(':');
  return `${id}-${version}.jar`;
}

/** Packages and oracles of Java. */
export const java: BenchLanguage = {
  references: javaReferences,
  overview: javaOverview,
  edits: javaEdits,
  implementations: javaImplementations,
  diagnostics: javaDiagnostics,
  traps: javaTraps,
  outside: ({ name, version, configurations, libraries = [] }) => ({
    ...javaPackage(`${name} ${version}`, { sources: `${name}:${version}`, hasTests: false, libraries }),
    ...(configurations === undefined ? {} : { configurations }),
  }),
  packages: [
    javaPackage('javapoet 1.13.0', { sources: 'com.squareup:javapoet:1.13.0', hasTests: false, libraries: [] }),
    javaPackage('commons-cli 1.9.0', {
      sources: 'commons-cli:commons-cli:1.9.0',
      hasTests: true,
      libraries: [
        'org.junit.jupiter:junit-jupiter-api:5.10.2',
        'org.junit.jupiter:junit-jupiter-params:5.10.2',
        'org.junit.platform:junit-platform-commons:1.10.2',
        'org.opentest4j:opentest4j:1.3.0',
        'org.apiguardian:apiguardian-api:1.1.2',
      ],
    }),
    javaPackage('commons-csv 1.12.0', {
      sources: 'org.apache.commons:commons-csv:1.12.0',
      hasTests: false,
      libraries: ['commons-io:commons-io:2.17.0', 'commons-codec:commons-codec:1.17.1'],
      exercise: javaProgram('CsvExercise.java'),
    }),
    javaPackage('jsoup 1.18.3', {
      sources: 'org.jsoup:jsoup:1.18.3',
      hasTests: false,
      libraries: ['org.jspecify:jspecify:1.0.0'],
      exercise: javaProgram('JsoupExercise.java'),
    }),
    {
      ...javaPackage('jcommander 1.82', { sources: 'com.beust:jcommander:1.82', hasTests: false, libraries: [] }),
      isNew: true,
    },
    {
      ...javaPackage('snakeyaml 2.2', { sources: 'org.yaml:snakeyaml:2.2', hasTests: false, libraries: [] }),
      isNew: true,
    },
    {
      ...javaPackage('commons-exec 1.4.0', {
        sources: 'org.apache.commons:commons-exec:1.4.0',
        hasTests: false,
        libraries: [],
      }),
      isNew: true,
    },
    javaPackage('gson 2.10.1', { sources: 'com.google.code.gson:gson:2.10.1', hasTests: false, libraries: [] }),
  ],
};
