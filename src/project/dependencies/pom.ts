import { elementsAt, parseXml, textOfChild, type XmlElement } from './xml.ts';

/** Coordinates of an artifact; parts may be absent, or contain `${…}` in a file. */
export interface Coordinates {
  readonly group: string;
  readonly artifact: string;
  readonly version: string;
}

/** A dependency as a `pom.xml` declares it. */
export interface PomDependency extends Coordinates {
  readonly scope: string;
  readonly type: string;
  readonly isOptional: boolean;
  /** `group:artifact`; `*` for any. */
  readonly exclusions: readonly string[];
}

/** The parts of a `pom.xml` that decide which dependencies a project has. */
export interface Pom extends Coordinates {
  readonly parent: (Coordinates & { readonly relativePath: string }) | undefined;
  readonly properties: ReadonlyMap<string, string>;
  readonly managed: readonly PomDependency[];
  readonly dependencies: readonly PomDependency[];
  /** Relative paths of directories or files. */
  readonly modules: readonly string[];
}

/** Reads a `pom.xml`; `undefined` for a text that is none. Profiles are left out. */
export function readPom(text: string): Pom | undefined {
  const [project] = elementsAt(parseXml(text), 'project');
  if (project === undefined) return undefined;
  const [parent] = elementsAt(project, 'parent');
  const properties = elementsAt(project, 'properties').flatMap(({ children }) => children);
  return {
    ...coordinatesIn(project),
    parent: parent && {
      ...coordinatesIn(parent),
      // An empty element means that the parent is not in the project.
      relativePath: elementsAt(parent, 'relativePath')[0]?.text.trim() ?? '../pom.xml',
    },
    properties: new Map(properties.map(({ name, text: value }) => [name, value.trim()])),
    managed: elementsAt(project, 'dependencyManagement', 'dependencies', 'dependency').map(dependencyIn),
    dependencies: elementsAt(project, 'dependencies', 'dependency').map(dependencyIn),
    modules: elementsAt(project, 'modules', 'module').map((module) => module.text.trim()),
  };
}

function coordinatesIn(element: XmlElement): Coordinates {
  const [group = '', artifact = '', version = ''] = ['groupId', 'artifactId', 'version'].map((name) =>
    textOfChild(element, name),
  );
  return { group, artifact, version };
}

function dependencyIn(element: XmlElement): PomDependency {
  const exclusions = elementsAt(element, 'exclusions', 'exclusion').map(coordinatesIn);
  return {
    ...coordinatesIn(element),
    scope: textOfChild(element, 'scope') ?? '',
    type: textOfChild(element, 'type') ?? 'jar',
    isOptional: textOfChild(element, 'optional') === 'true',
    exclusions: exclusions.map(({ group, artifact }) => `${group}:${artifact}`),
  };
}
