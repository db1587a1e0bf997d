import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ExpectedError } from '../base/errors.ts';
import { realPath } from '../base/paths.ts';
import { type ProjectDirectory, resolveInProject } from '../search/project-path.ts';
import { readBytes, readSource } from '../search/source-text.ts';
import { decode, decodeOrThrow } from '../text/decode.ts';
import { getCodec } from '../text/encodings.ts';
import { commitSteps, type Step } from './commit.ts';
import { encodeNewText, FileDraft, type LineEndingRule } from './file-draft.ts';
import { type CommitScope, projectScope } from './scope.ts';

/** The files that edits are made to. */
export interface EditedDirectory extends ProjectDirectory {
  /** Encoding of files that do not declare one themselves. */
  readonly encoding: string;
  /** Absolute path of the directory for locks and journals, outside the project. */
  readonly directory: string;
}

/** What a file is to become: `draft` or `bytes` decide its content, `to` its place. */
interface Planned {
  /** The path it is read from; `undefined` for a file that does not exist yet. */
  readonly from: string | undefined;
  /** The path it is to have; `undefined` when it is to be removed. */
  to: string | undefined;
  /** The bytes that were read; the file must still have them when they are replaced. */
  readonly before: Uint8Array | undefined;
  /** The edits of what was read, or of what `bytes` was when they began. */
  draft: FileDraft | undefined;
  /** Content written anew; takes the place of what was read. */
  bytes: Uint8Array | undefined;
}

/** Makes a commit of the files at `paths`, and looks at them before and after. What it throws is what committing throws. */
export type AroundCommit = (paths: readonly string[], commit: () => Promise<void>) => Promise<void>;

/**
 * The changes that one tool call makes to the files of a project: planned in memory, checked, then all made or none
 * (DESIGN 3.5). Paths are project-relative with `/`, or absolute inside the project.
 *
 * A commit refuses to write a file that is no longer as it was read here.
 */
export class Edits {
  readonly #project: EditedDirectory;
  readonly #rule: LineEndingRule;
  readonly #around: AroundCommit;
  readonly #planned: Planned[] = [];

  constructor(project: EditedDirectory, rule: LineEndingRule, around: AroundCommit = (_, commit) => commit()) {
    this.#project = project;
    this.#rule = rule;
    this.#around = around;
  }

  /**
   * Reads a file and returns it for edits; the same one for the same file.
   *
   * @throws {ExpectedError} `file.*`, also for a file that this plan removes.
   */
  open(path: string): FileDraft {
    const relative = resolveInProject(this.#project, path);
    const known = this.#planned.find((planned) => planned.to === relative);
    if (known) return this.#draftOf(known, relative);
    if (this.#planned.some(({ from }) => from === relative)) throw notFound(relative);
    const read = readSource(this.#project, relative, this.#project.encoding);
    const draft = new FileDraft(relative, read, this.#rule);
    this.#planned.push({ from: relative, to: relative, before: read.bytes, draft, bytes: undefined });
    return draft;
  }

  /**
   * Plans to write a file from scratch, over one that exists if `mayReplace`. Returns whether one existed.
   *
   * @throws {ExpectedError} `file.*`; `file.exists`; `edit.not-encodable`.
   */
  write(path: string, text: string, options: { mayReplace: boolean }): boolean {
    const { root, encoding } = this.#project;
    const relative = resolveInProject(this.#project, path);
    const known = this.#planned.find((planned) => planned.to === relative);
    const isFreed = !known && this.#planned.some(({ from }) => from === relative);
    const doesExist = known !== undefined || (!isFreed && existsSync(join(root, relative)));
    if (doesExist && !options.mayReplace) throw alreadyThere(relative);
    const before = known?.before ?? (doesExist ? readBytes(this.#project, relative) : undefined);
    const projectCodec = getCodec(encoding);
    const old = before === undefined ? undefined : decode(before, projectCodec);
    const { codec, text: replaced } = old?.kind === 'text' ? old : { codec: projectCodec };
    const bytes = encodeNewText(text, { path: relative, codec, rule: this.#rule, replaced });
    if (known) Object.assign(known, { bytes, draft: undefined });
    else this.#planned.push({ from: doesExist ? relative : undefined, to: relative, before, draft: undefined, bytes });
    return doesExist;
  }

  /**
   * Plans to move a file, with the edits planned for it before and after.
   *
   * @throws {ExpectedError} `file.*`; `file.exists` when there is a file at `to` and not `mayReplace`.
   */
  move(from: string, to: string, options: { mayReplace: boolean }): void {
    const target = resolveInProject(this.#project, to);
    const planned = this.#planOf(from);
    const other = this.#planned.find((candidate) => candidate !== planned && candidate.to === target);
    const isFreed = this.#planned.some((candidate) => candidate.from === target && candidate.to !== target);
    const isTaken = other !== undefined || (!isFreed && existsSync(join(this.#project.root, target)));
    if (isTaken && planned.to !== target) {
      if (!options.mayReplace) throw alreadyThere(target);
      this.remove(target);
    }
    planned.to = target;
  }

  /**
   * Plans to remove a file.
   *
   * @throws {ExpectedError} `file.*`.
   */
  remove(path: string): void {
    this.#planOf(path).to = undefined;
  }

  /**
   * Makes all planned changes or none, and returns the paths of the files that changed.
   *
   * @throws {ExpectedError} `edit.conflict` when a file is no longer as it was read; `edit.*`; `file.no-permission`.
   */
  async commit(signal: AbortSignal): Promise<string[]> {
    const steps = stepsOf(this.#planned);
    const paths = steps.map(({ path }) => path);
    await this.#around(paths, () => commitSteps(steps, editsScope(this.#project), signal));
    return paths;
  }

  /** Returns the edits of a file that was moved or written anew by this plan. */
  #draftOf(planned: Planned, path: string): FileDraft {
    const bytes = planned.bytes ?? planned.before;
    if (planned.draft === undefined && bytes !== undefined) {
      const { text: raw, codec } = decodeOrThrow(bytes, getCodec(this.#project.encoding), path);
      planned.draft = new FileDraft(path, { bytes, raw, codec }, this.#rule);
      planned.bytes = undefined;
    }
    if (planned.draft === undefined) throw notFound(path);
    return planned.draft;
  }

  /** Returns the plan for the file that is now, by this plan, at `path`. */
  #planOf(path: string): Planned {
    const relative = resolveInProject(this.#project, path);
    const known = this.#planned.find((planned) => planned.to === relative);
    if (known) return known;
    if (this.#planned.some(({ from }) => from === relative)) throw notFound(relative);
    const before = readBytes(this.#project, relative);
    const planned: Planned = { from: relative, to: relative, before, draft: undefined, bytes: undefined };
    this.#planned.push(planned);
    return planned;
  }
}

/** Returns the scope of edits to a project's files. */
export function editsScope({ root, directory, links }: EditedDirectory): CommitScope {
  return projectScope({ root: realPath(root), directory, mayLeave: links === 'any' });
}

/** Returns what is to be done at each path: where files change places one path loses a file and gets another. */
function stepsOf(planned: readonly Planned[]): Step[] {
  const found = new Map(planned.flatMap(({ from, before }) => (from === undefined ? [] : [[from, before]])));
  const wanted = new Map(
    planned.flatMap(({ from, to, before, draft, bytes }) => {
      const after = bytes ?? draft?.encode() ?? before;
      return to === undefined || after === undefined ? [] : [[to, { after, modeOf: from }] as const];
    }),
  );
  const steps: Step[] = [];
  for (const path of new Set([...found.keys(), ...wanted.keys()])) {
    const before = found.get(path);
    const become = wanted.get(path);
    if (become === undefined) steps.push({ do: 'remove', path, before });
    else if (before === undefined || Buffer.compare(before, become.after) !== 0) {
      steps.push({ do: 'write', path, before, ...become });
    }
  }
  return steps;
}

function notFound(path: string): ExpectedError {
  return new ExpectedError('file.not-found', `There is no file \`${path}\`: the same change removes or moves it`);
}

function alreadyThere(path: string): ExpectedError {
  return new ExpectedError('file.exists', `There is already a file \`${path}\``, {
    hints: ['Choose another name, or remove that file first'],
  });
}
