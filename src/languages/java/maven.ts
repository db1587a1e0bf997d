/** Reads the text of the files that decide about dependencies; `''` for a missing one. */
interface PomSource {
  /** Path relative to the project. */
  readInProject(path: string): string;
  /** The `pom.xml` of an artifact in the local repository. */
  readInRepository(artifact: Coordinates): string;
  /** Takes a reason why the result is not complete, as a clause. */
  leaveOut(reason: string): void;
}

/** The artifacts that a project uses, directly and through others. */
export interface MavenArtifacts {
  /** The nearest ones to the project first. */
  readonly artifacts: readonly Coordinates[];
  /** `group:artifact` of dependencies whose version was not found. */
  readonly unresolved: readonly string[];
  /** `group:artifact:version` of artifacts without a `pom.xml` in the repository: what they use is unknown. */
  readonly unread: readonly string[];
}

/** A `pom.xml` with what it inherits, without placeholders. */
interface Model {
  readonly self: Coordinates;
  /** By `group:artifact`. */
  readonly managed: ReadonlyMap<string, PomDependency>;
  readonly dependencies: readonly PomDependency[];
}

/** A dependency to resolve, how far it is from the project, and what is excluded from its own dependencies. */
interface Pending {
  readonly dependency: PomDependency;
  readonly depth: number;
  readonly excluded: readonly string[];
}

/** Real projects have some hundred; the number bounds what a hostile project can make us read. */
const maxArtifacts = 3_000;
const maxModules = 1_000;
const maxParents = 20;
/** Properties, dependencies and exclusions, each as often as a module inherits it. A project of 500 modules has 700,000. */
const maxInherited = 2_000_000;
/** Length of expanded text that counts like one dependency. */
const lengthOfOne = 100;
const maxValueLength = 1_000;
const maxPasses = 10;

const coordinate = /^(?!.*\.\.)[A-Za-z0-9_][\w.-]{0,254}$/;

/** A POM inherits more than this program reads. */
class TooMuch extends Error {}

/**
 * Resolves the dependencies of the modules of a project as Maven does: the nearest version of an artifact is used, the
 * project's `dependencyManagement` overrides the versions of indirect ones. Reads files of the project and of the local
 * repository only; profiles, version ranges and settings of a command line are left out.
 */
export class MavenResolution {
  readonly #source: PomSource;
  readonly #poms = new Map<string, Pom | undefined>();
  readonly #models = new Map<string, Model | undefined>();
  #inherited = 0;

  constructor(source: PomSource) {
    this.#source = source;
  }

  /** Resolves the modules of a project. */
  resolve(): MavenArtifacts {
    const modules = this.#untilLimit([...this.#modules()], ([path, pom]) => this.#modelOf(pom, path));
    const own = new Set(modules.map(({ self }) => keyOf(self)));
    const found = new Map<string, Coordinates>();
    const unresolved = new Set<string>();
    const unread = new Set<string>();
    this.#untilLimit(modules, (module) => this.#close(module, { own, found, unresolved, unread }));
    if (found.size >= maxArtifacts) this.#source.leaveOut(`only the first ${maxArtifacts} artifacts were located`);
    return { artifacts: [...found.values()], unresolved: [...unresolved], unread: [...unread] };
  }

  /** Returns the results for the items, up to the one with which the limit is reached. */
  #untilLimit<T, R>(items: readonly T[], work: (item: T) => R): R[] {
    const results: R[] = [];
    try {
      for (const item of items) results.push(work(item));
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error;
      this.#source.leaveOut('the `pom.xml` files are too large together, and only a part of the artifacts was located');
    }
    return results;
  }

  /** Counts what takes time and memory. @throws {TooMuch} beyond the limit. */
  #count(amount: number): void {
    this.#inherited += amount;
    if (this.#inherited > maxInherited) throw new TooMuch();
  }

  /** Returns the `pom.xml` files of the project by path: that of the root and those of its modules. */
  #modules(): ReadonlyMap<string, Pom> {
    const found = new Map<string, Pom>();
    const paths = new Set(['pom.xml']);
    // Grows while it is walked.
    for (const path of paths) {
      const pom = this.#pomInProject(path);
      if (pom === undefined) continue;
      found.set(path, pom);
      const directory = path.slice(0, path.lastIndexOf('/') + 1);
      for (const module of pom.modules) if (paths.size < maxModules) paths.add(pathOfPom(directory + module));
    }
    if (paths.size >= maxModules) this.#source.leaveOut(`only the first ${maxModules} modules were read`);
    return found;
  }

  /** Walks breadth-first, so that the first version of an artifact is the nearest. */
  #close(
    module: Model,
    to: { own: ReadonlySet<string>; found: Map<string, Coordinates>; unresolved: Set<string>; unread: Set<string> },
  ): void {
    const seen = new Set<string>();
    const pending: Pending[] = module.dependencies.map((dependency) => ({ dependency, depth: 1, excluded: [] }));
    // Grows while it is walked.
    for (const { dependency, depth, excluded } of pending) {
      if (to.found.size >= maxArtifacts) return;
      this.#count(1 + excluded.length);
      const key = keyOf(dependency);
      if (seen.has(key) || to.own.has(key) || isExcluded(key, excluded)) continue;
      const managed = module.managed.get(key);
      const scope =
        (depth === 1 ? dependency.scope || managed?.scope : managed?.scope || dependency.scope) || 'compile';
      if (depth > 1 && (dependency.isOptional || !['compile', 'runtime'].includes(scope))) continue;
      if (scope === 'system') continue;
      seen.add(key);
      const version =
        (depth === 1 ? dependency.version || managed?.version : managed?.version || dependency.version) ?? '';
      const artifact = { group: dependency.group, artifact: dependency.artifact, version };
      if (!Object.values(artifact).every((part) => coordinate.test(part))) {
        to.unresolved.add(key);
        continue;
      }
      to.found.set(idOf(artifact), artifact);
      const model = this.#modelInRepository(artifact);
      if (model === undefined) to.unread.add(idOf(artifact));
      this.#count(excluded.length + dependency.exclusions.length + (managed?.exclusions.length ?? 0));
      const exclusions = [...excluded, ...dependency.exclusions, ...(managed?.exclusions ?? [])];
      for (const next of model?.dependencies ?? []) {
        const version = next.version || (model?.managed.get(keyOf(next))?.version ?? '');
        pending.push({ dependency: { ...next, version }, depth: depth + 1, excluded: exclusions });
      }
    }
  }

  /** `undefined` also for a `pom.xml` that is being read: what imports itself imports nothing. */
  #modelInRepository(artifact: Coordinates): Model | undefined {
    const id = idOf(artifact);
    if (this.#models.has(id)) return this.#models.get(id);
    this.#models.set(id, undefined);
    const pom = this.#pomInRepository(artifact);
    if (pom !== undefined) this.#models.set(id, this.#modelOf(pom, undefined));
    return this.#models.get(id);
  }

  /** `path` is that of a `pom.xml` in the project. */
  #modelOf(pom: Pom, path: string | undefined): Model {
    const chain = this.#withParents(pom, path);
    for (const one of chain) this.#count(one.properties.size + one.managed.length + one.dependencies.length);
    const inherited = chain.find(({ group }) => group !== '')?.group ?? pom.parent?.group ?? '';
    const version = chain.find((one) => one.version !== '')?.version ?? pom.parent?.version ?? '';
    const properties = new Map(chain.toReversed().flatMap((one) => [...one.properties]));
    for (const prefix of ['project.', 'pom.', '']) {
      properties.set(`${prefix}groupId`, pom.group || (pom.parent?.group ?? inherited));
      properties.set(`${prefix}artifactId`, pom.artifact);
      properties.set(`${prefix}version`, pom.version || (pom.parent?.version ?? version));
      properties.set(`${prefix}parent.version`, pom.parent?.version ?? '');
      properties.set(`${prefix}parent.groupId`, pom.parent?.group ?? '');
    }
    const expanded = (dependency: PomDependency) => {
      const full = expandAll(dependency, properties);
      if (full !== dependency) this.#count(Object.values(coordinatesOf(full)).join('').length / lengthOfOne);
      return full;
    };
    const declared = chain.flatMap(({ managed }) => managed.map(expanded));
    const managed = new Map<string, PomDependency>();
    for (const one of declared) if (!isImport(one) && !managed.has(keyOf(one))) managed.set(keyOf(one), one);
    for (const one of declared) {
      if (!isImport(one) || !isPlain(one)) continue;
      const imported = this.#modelInRepository(one)?.managed ?? new Map<string, PomDependency>();
      this.#count(imported.size);
      for (const [key, other] of imported) {
        if (!managed.has(key)) managed.set(key, other);
      }
    }
    const dependencies = new Map<string, PomDependency>();
    for (const one of chain.flatMap((each) => each.dependencies.map(expanded))) {
      if (!dependencies.has(keyOf(one))) dependencies.set(keyOf(one), one);
    }
    const self = expandAll({ group: pom.group || inherited, artifact: pom.artifact, version }, properties);
    return { self, managed, dependencies: [...dependencies.values()] };
  }

  /** Returns a `pom.xml` with its parents, the nearest first. */
  #withParents(pom: Pom, path: string | undefined): Pom[] {
    const chain = [pom];
    let at = path;
    for (let { parent } = pom; parent !== undefined && chain.length < maxParents; ) {
      const inProject = at === undefined || parent.relativePath === '' ? undefined : this.#parentInProject(at, parent);
      const next = inProject?.pom ?? (isPlain(parent) ? this.#pomInRepository(parent) : undefined);
      if (next === undefined) break;
      at = inProject?.path;
      chain.push(next);
      parent = next.parent;
    }
    return chain;
  }

  #parentInProject(
    path: string,
    parent: Coordinates & { relativePath: string },
  ): { pom: Pom; path: string } | undefined {
    const at = pathOfPom(path.slice(0, path.lastIndexOf('/') + 1) + parent.relativePath);
    const pom = this.#pomInProject(at);
    return pom?.artifact === parent.artifact ? { pom, path: at } : undefined;
  }

  #pomInProject(path: string): Pom | undefined {
    return this.#remembered(`/${path}`, () => this.#source.readInProject(path));
  }

  #pomInRepository(artifact: Coordinates): Pom | undefined {
    return this.#remembered(idOf(artifact), () => this.#source.readInRepository(artifact));
  }

  #remembered(key: string, read: () => string): Pom | undefined {
    if (!this.#poms.has(key)) this.#poms.set(key, readPom(read()));
    return this.#poms.get(key);
  }
}

/** Returns how messages and addresses name an artifact. */
export function idOf({ group, artifact, version }: Coordinates): string {
  return `${group}:${artifact}:${version}`;
}

function keyOf({ group, artifact }: Coordinates): string {
  return `${group}:${artifact}`;
}

function isPlain({ group, artifact, version }: Coordinates): boolean {
  return [group, artifact, version].every((part) => coordinate.test(part));
}

function isImport({ scope, type }: PomDependency): boolean {
  return scope === 'import' && type === 'pom';
}

function isExcluded(key: string, excluded: readonly string[]): boolean {
  const [group = '', artifact = ''] = key.split(':');
  return excluded.some((one) => [key, `${group}:*`, `*:${artifact}`, '*:*'].includes(one));
}

/** Returns the normalized path of a module's `pom.xml`: modules are named by their directories or files. */
function pathOfPom(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return (parts.at(-1)?.endsWith('.xml') ? parts : [...parts, 'pom.xml']).join('/');
}

function coordinatesOf({ group, artifact, version }: Coordinates): Coordinates {
  return { group, artifact, version };
}

/** Returns `one` itself if there is nothing to replace. */
function expandAll<T extends Coordinates>(one: T, properties: ReadonlyMap<string, string>): T {
  const { group, artifact, version } = one;
  if (![group, artifact, version].some((part) => part.includes('${'))) return one;
  const [ownGroup, ownArtifact, ownVersion] = [expand(group), expand(artifact), expand(version)];
  return { ...one, group: ownGroup, artifact: ownArtifact, version: ownVersion };

  /** Replaces `${name}`; an unknown name stays, and so does a value that is too long or grows so. */
  function expand(value: string): string {
    let expanded = value;
    for (let pass = 0; pass < maxPasses && expanded.includes('${'); pass++) {
      if (expanded.length > maxValueLength) return value.slice(0, maxValueLength);
      let room = maxValueLength;
      expanded = expanded.replace(/\$\{([^{}]*)\}/g, (whole, name: string) => {
        const found = properties.get(name) ?? whole;
        room -= found.length;
        return room < 0 ? whole : found;
      });
      if (room < 0) return value.slice(0, maxValueLength);
    }
    return expanded;
  }
}

/** Coordinates of an artifact; parts may be absent, or contain `${…}` in a file. */
export interface Coordinates {
  readonly group: string;
  readonly artifact: string;
  readonly version: string;
}

/** A dependency as a `pom.xml` declares it. */
interface PomDependency extends Coordinates {
  readonly scope: string;
  readonly type: string;
  readonly isOptional: boolean;
  /** `group:artifact`; `*` for any. */
  readonly exclusions: readonly string[];
}

/** The parts of a `pom.xml` that decide which dependencies a project has. */
interface Pom extends Coordinates {
  readonly parent: (Coordinates & { readonly relativePath: string }) | undefined;
  readonly properties: ReadonlyMap<string, string>;
  readonly managed: readonly PomDependency[];
  readonly dependencies: readonly PomDependency[];
  /** Relative paths of directories or files. */
  readonly modules: readonly string[];
}

/** Reads a `pom.xml`; `undefined` for a text that is none. Profiles are left out. */
function readPom(text: string): Pom | undefined {
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

/** An element of an XML document, without attributes. */
interface XmlElement {
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: OpenElement[];
}

const opaque = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

/**
 * Returns a root whose children are the elements of a document. Never fails: whatever is not well-formed is read as far
 * as it can be. Entities stay as they are.
 */
export function parseXml(document: string): XmlElement {
  const root: OpenElement = { name: '', text: '', children: [] };
  const open = [root];
  let at = 0;
  for (;;) {
    const tag = document.indexOf('<', at);
    const current = open.at(-1) ?? root;
    if (tag < 0) return root;
    current.text += document.slice(at, tag);
    const [begin, end] = opaque.find(([start]) => document.startsWith(start, tag)) ?? ['<', '>'];
    const close = document.indexOf(end, tag + begin.length);
    if (close < 0) return root;
    at = close + end.length;
    const content = document.slice(tag + begin.length, close);
    if (begin === '<![CDATA[') current.text += content;
    if (begin !== '<' || content.startsWith('!')) continue;
    if (content.startsWith('/')) {
      if (open.length > 1) open.pop();
      continue;
    }
    const element = { name: /^[^\s/]*/.exec(content)?.[0] ?? '', text: '', children: [] };
    current.children.push(element);
    if (!content.endsWith('/')) open.push(element);
  }
}

/** Returns the elements at a path of names below an element. */
export function elementsAt(element: XmlElement, ...names: readonly string[]): readonly XmlElement[] {
  return names.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [element],
  );
}

/** Returns the trimmed text of the first child with a name, `undefined` if there is none or it is empty. */
function textOfChild(element: XmlElement | undefined, name: string): string | undefined {
  const text = element?.children.find((child) => child.name === name)?.text.trim();
  return text === '' ? undefined : text;
}
