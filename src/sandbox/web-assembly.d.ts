/** The part of WebAssembly's interface that this program uses; the types of Node have none. */
declare namespace WebAssembly {
  class Memory {
    constructor(sizes: { readonly initial: number; readonly maximum: number });
  }
}
