import { z } from 'zod';
import { counted } from '../../base/counted.ts';
import type { ListedAction } from '../../symbols/edits/code-actions.ts';
import { defineTool, symbolEdit } from '../tool.ts';

const codeActions = defineTool({
  name: 'code_actions',
  description: `Lists changes that the language server offers at a symbol, lines or selected code: fixes of
diagnostics, inlining, extracting, moving to a new file, organizing imports. Pass an id to apply_code_action.`,
  toolset: 'symbolic_edit',
  effect: 'reads',
  stage: 'optional',
  needs: 'symbols',
  input: () => ({
    relative_path: z.string().describe('File; with a name path also a directory, empty = all.'),
    name_path: z.string().default('').describe('Symbol, such as Class/method; empty = lines.'),
    start_line: z.int().min(0).default(0).describe('First line, 0-based.'),
    end_line: z.int().min(-1).default(-1).describe('Last line, inclusive; -1 = last of the file.'),
    selected_text: z.string().default('').describe('Exact code to select there, such as an expression to extract.'),
    kind: z
      .string()
      .default('')
      .describe('Such as quickfix, refactor.inline, refactor.extract, source.organizeImports; empty = usual ones.'),
  }),
  async run({ symbols }, input) {
    const found = await symbols.codeActions({
      relativePath: input.relative_path,
      namePath: input.name_path,
      startLine: input.start_line,
      endLine: input.end_line === -1 ? undefined : input.end_line,
      selectedText: input.selected_text,
      kind: input.kind,
    });
    if (found.length === 0) return { value: 'The language server offers no code actions here.' };
    return {
      value: found.map(described).join('\n'),
      shorter: [() => `${counted(found.length, 'code action')}; pass \`kind\`, or fewer lines.`],
    };
  },
});

function described({ id, title, diagnostic, needsTrust }: ListedAction): string {
  const cause = diagnostic?.message.split('\n')[0];
  const trust = needsTrust ? ' [only in trusted projects]' : '';
  return `${id}\n  ${title}${cause === undefined ? '' : ` (${cause})`}${trust}`;
}

const applyCodeAction = defineTool({
  ...symbolEdit,
  name: 'apply_code_action',
  description: `Applies a code action that code_actions listed, in all files or none. Returns the changed files.`,
  stage: 'optional',
  input: () => ({ id: z.string().describe('Id from code_actions, valid until its file changes.') }),
  async run({ symbols, edits }, { id }) {
    const { title, changed, notes } = await symbols.applyAction(edits, id);
    const count = counted(changed.length, 'file');
    return {
      value: `Applied "${title}"; changed: ${changed.join(', ')}.`,
      shorter: [() => `Applied "${title}"; changed ${count}.`],
      notes,
    };
  },
});

export const codeActionTools = [codeActions, applyCodeAction];
