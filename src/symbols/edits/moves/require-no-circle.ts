import { PythonModules } from '../../../languages/python/modules.ts';
import { textLines } from '../../../text/text-lines.ts';
import { moveRefused } from './move-rule.ts';
import type { PythonCodeMove } from './python-code-move.ts';

/**
 * Checks that the imports that a move adds do not lead back to the importing module, whose names would not be bound yet.
 *
 * @throws {ExpectedError} `edit.refused` with the circle.
 */
export function requireNoCircle(move: PythonCodeMove, texts: ReadonlyMap<string, string>): void {
  const { modules, source, to, name } = move;
  const planned = new Map([...texts].map(([file, text]) => [file, textLines(text)]));
  const after = new PythonModules((file) => planned.get(file) ?? modules.get(file)?.lines);
  const changed = [to, source.file];
  for (const file of texts.keys()) {
    const before = new Set(modules.loadedBy(file));
    const added = after.loadedBy(file).filter((other) => changed.includes(other) || !before.has(other));
    for (const other of added) {
      const chain = after.chain(other, file);
      if (chain === undefined) continue;
      const circle = [file, ...chain].map((one) => `\`${one}\``).join(' imports ');
      throw moveRefused(name, `modules would import each other before they are complete: ${circle}`, [
        'choose another file, or move what both modules need first',
      ]);
    }
  }
}
