import { expect, test } from 'bun:test';
import { idOf, MavenResolution } from '../../../src/languages/java/maven.ts';

type Files = Readonly<Record<string, string>>;

/** Files of the project by path, those of the repository by `group:artifact:version`. */
function resolve(project: Files, repository: Files = {}) {
  const leftOut: string[] = [];
  const { artifacts, ...others } = new MavenResolution({
    readInProject: (path) => project[path] ?? '',
    readInRepository: (artifact) => repository[idOf(artifact)] ?? '',
    leaveOut: (reason) => leftOut.push(reason),
  }).resolve();
  return { artifacts: artifacts.map(idOf), ...others, ...(leftOut.length === 0 ? {} : { leftOut }) };
}

const pom = (content: string, artifact = 'app') =>
  `<project><groupId>g</groupId><artifactId>${artifact}</artifactId><version>1</version>${content}</project>`;
const uses = (...dependencies: string[]) => `<dependencies>${dependencies.join('')}</dependencies>`;
const manages = (...dependencies: string[]) => `<dependencyManagement>${uses(...dependencies)}</dependencyManagement>`;
const on = (artifact: string, version = '', more = '') =>
  `<dependency><groupId>g</groupId><artifactId>${artifact}</artifactId>${version && `<version>${version}</version>`}${more}</dependency>`;
const none = { unresolved: [], unread: [] };

test('the nearest version of an artifact is used, and of equally near ones the first', () => {
  const repository = {
    'g:a:1': pom(uses(on('far', '1'), on('both', '1')), 'a'),
    'g:b:1': pom(uses(on('far', '2'), on('both', '2')), 'b'),
    'g:far:1': pom(''),
    'g:far:3': pom(''),
    'g:both:1': pom(''),
  };
  const project = { 'pom.xml': pom(uses(on('a', '1'), on('b', '1'), on('far', '3'))) };
  expect(resolve(project, repository)).toEqual({ artifacts: ['g:a:1', 'g:b:1', 'g:far:3', 'g:both:1'], ...none });
});

test('managed versions apply to direct dependencies without one and override those of indirect ones', () => {
  const repository = {
    'g:a:1': pom(uses(on('deep', '1'), on('own')) + manages(on('own', '7'))),
    'g:bom:1': pom(manages(on('deep', '5'), on('a', '9'))),
    'g:deep:5': pom(''),
    'g:own:7': pom(''),
  };
  const imported = on('bom', '${bom}', '<type>pom</type><scope>import</scope>');
  const project = {
    'pom.xml': pom(`<properties><bom>1</bom></properties>${manages(on('a', '1'), imported)}${uses(on('a'))}`),
  };
  expect(resolve(project, repository)).toEqual({ artifacts: ['g:a:1', 'g:deep:5', 'g:own:7'], ...none });
});

test('scopes, optional dependencies and exclusions are respected', () => {
  const excluded = '<exclusions><exclusion><groupId>g</groupId><artifactId>no</artifactId></exclusion></exclusions>';
  const inner = uses(
    on('no', '1'),
    on('test', '1', '<scope>test</scope>'),
    on('optional', '1', '<optional>true</optional>'),
    on('runtime', '1', '<scope>runtime</scope>'),
  );
  const repository = { 'g:a:1': pom(inner), 'g:t:1': pom(''), 'g:runtime:1': pom('') };
  const project = { 'pom.xml': pom(uses(on('a', '1', excluded), on('t', '1', '<scope>test</scope>'))) };
  expect(resolve(project, repository)).toEqual({ artifacts: ['g:a:1', 'g:t:1', 'g:runtime:1'], ...none });
});

test('modules inherit from parents in the project and in the repository, and are no artifacts themselves', () => {
  const parent = (artifact: string, more = '') =>
    `<parent><groupId>g</groupId><artifactId>${artifact}</artifactId><version>1</version>${more}</parent>`;
  const project = {
    'pom.xml': pom(
      `${parent('company', '<relativePath/>')}<modules><module>core</module><module>app</module></modules>`,
      'root',
    ),
    'core/pom.xml': `<project>${parent('root')}<artifactId>core</artifactId>${uses(on('a'))}</project>`,
    'app/pom.xml': `<project>${parent('root')}<artifactId>app</artifactId>${uses(on('core', '${project.version}'))}</project>`,
  };
  const repository = { 'g:company:1': pom(manages(on('a', '4')), 'company'), 'g:a:4': pom('') };
  expect(resolve(project, repository)).toEqual({ artifacts: ['g:a:4'], ...none });
});

test('what only Maven can resolve is named, and what is not in the repository', () => {
  const project = { 'pom.xml': pom(uses(on('range', '[1,2)'), on('unknown', '${nowhere}'), on('gone', '1'))) };
  const unresolved = ['g:range', 'g:unknown'];
  expect(resolve(project)).toEqual({ artifacts: ['g:gone:1'], unresolved, unread: ['g:gone:1'] });
});

test('circles and growing properties come to an end', () => {
  const properties = Array.from(
    { length: 30 },
    (_, index) => `<p${index}>\${p${index + 1}}\${p${index + 1}}</p${index}>`,
  );
  const project = {
    'pom.xml': pom(
      `<parent><groupId>g</groupId><artifactId>app</artifactId><version>1</version><relativePath>pom.xml</relativePath></parent><modules><module>.</module></modules><properties>${properties.join('')}<self>\${self}</self></properties>${manages(on('app', '1', '<type>pom</type><scope>import</scope>'))}${uses(on('a', '1'), on('big', '${p0}'), on('self', '${self}'))}`,
    ),
  };
  const repository = {
    'g:a:1': pom(uses(on('b', '1'))),
    'g:b:1': pom(uses(on('a', '1'))),
    'g:app:1': project['pom.xml'],
  };
  expect(resolve(project, repository)).toEqual({
    artifacts: ['g:a:1', 'g:b:1'],
    unresolved: ['g:big', 'g:self'],
    unread: [],
  });
});

test('a text that is no `pom.xml` has no dependencies', () => {
  for (const text of ['', '<', '<!--', '<project', '<a></a></b>', '<![CDATA[', '<project><dependencies><dependency>']) {
    expect(resolve({ 'pom.xml': text }).artifacts).toEqual([]);
  }
});
