import type { Node, Tree } from 'web-tree-sitter';
import type { SyntaxRange } from '../languages/outline-rules.ts';

/** A place in a text that the grammar of its language does not accept. */
export interface ParseError {
  readonly range: SyntaxRange;
  readonly message: string;
}

const maxQuotedChars = 40;

/** Returns the errors in a syntax tree in document order, without those inside another one. */
export function syntaxErrorsIn({ rootNode }: Tree): ParseError[] {
  const errors: ParseError[] = [];
  visit(rootNode, errors);
  return errors;
}

function visit(node: Node, errors: ParseError[]): void {
  if (!node.hasError) return;
  if (node.isError || node.isMissing) errors.push(errorOf(node));
  else for (const child of node.children) visit(child, errors);
}

function errorOf(node: Node): ParseError {
  const { startPosition, endPosition } = node;
  return {
    range: {
      start: { line: startPosition.row, character: startPosition.column },
      end: { line: endPosition.row, character: endPosition.column },
    },
    message: messageOf(node),
  };
}

function messageOf(node: Node): string {
  if (node.isMissing) return `missing \`${node.type}\``;
  const [first = '', ...others] = node.text.trim().split('\n');
  if (others.length > 0) return `no valid syntax up to line ${node.startPosition.row + others.length}`;
  return `unexpected \`${first.length > maxQuotedChars ? `${first.slice(0, maxQuotedChars)}…` : first}\``;
}
