import type { Subject, TaskJudge } from './judges/judge.ts';
import { affectedJudge } from './judges/judge-affected.ts';
import { deleteJudge } from './judges/judge-delete.ts';
import { moveFileJudge, moveJudge } from './judges/judge-move.ts';
import { renameJudge } from './judges/judge-rename.ts';
import { signatureJudge } from './judges/judge-signature.ts';
import type { Task } from './model.ts';

/** Returns the judge of a task. */
export function judgeOf(subject: Subject<Task>): Promise<TaskJudge> {
  const { task } = subject;
  if (task.kind === 'rename') return renameJudge({ ...subject, task });
  if (task.kind === 'delete') return deleteJudge({ ...subject, task });
  if (task.kind === 'affected') return affectedJudge({ ...subject, task });
  if (task.kind === 'signature') return signatureJudge({ ...subject, task });
  if (task.kind === 'move') return moveJudge({ ...subject, task });
  return moveFileJudge({ ...subject, task });
}
