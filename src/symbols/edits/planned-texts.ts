import type { WorkspaceStep } from '../../lsp/features/rename.ts';
import { applyEdits, type TextEdit } from '../../text/apply-edits.ts';
import { positionAt } from '../../text/position.ts';
import type { TextLines } from '../../text/text-lines.ts';
import type { SymbolScope } from '../model/scope.ts';

/** Edits of several files by offsets in their present texts, and files that are created. Paths are project-relative. */
export class PlannedTexts {
  readonly #scope: SymbolScope;
  readonly #edits = new Map<string, TextEdit[]>();
  readonly #created = new Map<string, string>();

  constructor(scope: SymbolScope) {
    this.#scope = scope;
  }

  edit(file: string, ...edits: readonly TextEdit[]): void {
    this.#edits.set(file, [...(this.#edits.get(file) ?? []), ...edits]);
  }

  create(file: string, text: string): void {
    this.#created.set(file, text);
  }

  /** The texts as planned, with `\n` line breaks. */
  get texts(): ReadonlyMap<string, string> {
    const changed = [...this.#edits].map(([file, edits]) => {
      return [file, applyEdits(this.#scope.files.textOf(file).text, edits, file)] as const;
    });
    return new Map([...changed, ...this.#created]);
  }

  get steps(): WorkspaceStep[] {
    const changed = [...this.#edits].map(([file, edits]): WorkspaceStep => {
      const lines = this.#scope.files.textOf(file);
      const ranged = edits.map((edit) => ({ range: rangeOf(lines, edit), newText: edit.text }));
      return { do: 'edit', file, edits: ranged };
    });
    const start = { line: 0, character: 0 };
    const created = [...this.#created].flatMap(([file, newText]): WorkspaceStep[] => [
      { do: 'create', file, ifExists: 'fail' },
      { do: 'edit', file, edits: [{ range: { start, end: start }, newText }] },
    ]);
    return [...changed, ...created];
  }
}

function rangeOf({ text, starts }: TextLines, { start, end }: TextEdit) {
  return { start: positionAt(text, starts, start), end: positionAt(text, starts, end) };
}
