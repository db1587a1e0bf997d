/** A position in a file of the package; line and column are 0-based, the column counts UTF-16 code units. */
record Place(String file, int line, int column) implements Comparable<Place> {
  @Override
  public int compareTo(Place other) {
    int byFile = file.compareTo(other.file);
    if (byFile != 0) return byFile;
    return line == other.line ? Integer.compare(column, other.column) : Integer.compare(line, other.line);
  }
}
