/** True for the path or URI of a header of C or C++, or of a part of a file, by its extension. */
export function isHeader(path: string): boolean {
  return /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp|txx)$/i.test(path);
}
