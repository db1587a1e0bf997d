declare module '*.cjs.txt' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: that is how a text module arrives
  export default text;
}
