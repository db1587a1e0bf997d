import { plansEdits, type Tool } from './tool.ts';

/** True for tools whose edits may be joined with those of other tools. */
export function canJoinEdits(tool: Tool): boolean {
  const isWhole = tool.name === 'apply_edits' || tool.name === 'edit_history' || tool.editsThroughTools === true;
  return plansEdits(tool) && !isWhole;
}
