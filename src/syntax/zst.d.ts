/** Embedded file, imported `with { type: 'file' }`: the default export is its path. */
declare module '*.zst' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: the runtime gives the path as the default export
  export default path;
}
