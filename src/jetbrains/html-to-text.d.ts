// `html-to-text` ships no types. Only what `plain-text.ts` uses.

declare module 'html-to-text' {
  interface SelectorDefinition {
    readonly selector: string;
    readonly format?: string;
    readonly options?: Readonly<Record<string, unknown>>;
  }

  export function convert(
    html: string,
    options: { readonly wordwrap: false; readonly selectors: readonly SelectorDefinition[] },
  ): string;
}
