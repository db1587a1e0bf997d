/** The part of WebAssembly's interface that this program uses; the types of Node have none. */
declare const WebAssembly: {
  readonly Memory: new (sizes: { readonly initial: number; readonly maximum: number }) => object;
};
