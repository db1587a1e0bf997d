import { agentLspEdits } from './agent-lsp-edits.ts';
import { cclspEdits } from './cclsp-edits.ts';
import type { EditContender } from './model.ts';
import { oursEdits } from './ours-edits.ts';
import { rawEdits } from './raw-edits.ts';
import { serenaEdits } from './serena-edits.ts';

/** All contenders that change packages, in the order of the tables. */
export const editContenders: readonly EditContender[] = [
  oursEdits,
  serenaEdits('1.7.0'),
  serenaEdits('2.1.0'),
  agentLspEdits,
  cclspEdits,
  rawEdits,
];
