import type { Tree } from 'web-tree-sitter';
import type { OutlineRules } from '../languages/outline-rules.ts';
import type { Position } from '../text/position.ts';

/** An occurrence of a name in code. */
export interface Identifier {
  readonly name: string;
  readonly start: Position;
}

/** Returns the identifiers in a syntax tree in document order, without those in comments and strings. */
export function identifiersIn(tree: Tree, table: OutlineRules): Identifier[] {
  const types: ReadonlySet<string> = new Set(table.identifiers ?? table.names);
  const found: Identifier[] = [];
  const cursor = tree.walk();
  for (let isInside = true; isInside; ) {
    if (types.has(cursor.nodeType)) {
      const { row, column } = cursor.startPosition;
      found.push({ name: cursor.nodeText, start: { line: row, character: column } });
    } else if (cursor.gotoFirstChild()) continue;
    while (!cursor.gotoNextSibling()) {
      isInside = cursor.gotoParent();
      if (!isInside) break;
    }
  }
  cursor.delete();
  return found;
}
