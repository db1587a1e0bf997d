declare module '*.cjs.txt' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: Bun exports text modules as default
  export default text;
}
