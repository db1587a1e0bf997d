// Written by scripts/embed-resources.ts (`npm run format`); never edited.
declare module '*.yml' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the runtimes give the text as the default export
  export default text;
}

declare module '*.md' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the runtimes give the text as the default export
  export default text;
}

declare module '*.txt' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the runtimes give the text as the default export
  export default text;
}

declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the runtimes give the text as the default export
  export default text;
}

declare module '*.js' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the runtimes give the text as the default export
  export default text;
}
