import type {
  Diagnostic,
  DidChangeTextDocumentParams,
  DidOpenTextDocumentParams,
} from 'vscode-languageserver-protocol';

/** A document as last sent by the client. */
export interface SentDocument {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
}

/** Returns handlers of `didOpen` and `didChange` that pass each text to `receive`. */
export function onText(receive: (document: SentDocument) => void): Record<string, (params: unknown) => void> {
  return {
    'textDocument/didOpen': (params) => {
      const { textDocument }: DidOpenTextDocumentParams = Object(params);
      receive(textDocument);
    },
    'textDocument/didChange': (params) => {
      const { textDocument, contentChanges }: DidChangeTextDocumentParams = Object(params);
      receive({ ...textDocument, text: contentChanges[0]?.text ?? '' });
    },
  };
}

/** Returns an error for each occurrence of `fault` in the text, and a warning for each of `doubt`. */
export function faultsIn(text: string): Diagnostic[] {
  return text.split('\n').flatMap((content, line) =>
    [...content.matchAll(/fault|doubt/g)].map(({ 0: word, index }): Diagnostic => {
      const range = { start: { line, character: index }, end: { line, character: index + word.length } };
      return { range, message: content.trim(), severity: word === 'fault' ? 1 : 2, source: 'stub', code: word };
    }),
  );
}
