/** A symbol whose references were found. */
export interface ReferredSymbol {
  /** Absolute path of the file that defines the symbol. */
  readonly path: string;
  readonly name: string;
  /** True if the symbol has no parent symbol. */
  readonly isTopLevel: boolean;
  /** The lines that contain the references that the server found. */
  readonly lines: readonly string[];
}
