import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;

/** A source file in memory, with its words: identifiers and keywords outside comments and literals. */
final class SourceText extends SimpleJavaFileObject {
  /** A word and its offset. */
  record Word(int start, String text) {
    int end() {
      return start + text.length();
    }
  }

  final String path;
  final String text;
  final List<Word> words;
  private final int[] lineStarts;

  SourceText(String path, String text) {
    super(URI.create("memory:///" + path), Kind.SOURCE);
    this.path = path;
    this.text = text;
    this.words = wordsIn(text);
    this.lineStarts = IntStream.concat(
            IntStream.of(0), IntStream.range(0, text.length()).filter(at -> text.charAt(at) == '\n').map(at -> at + 1))
        .toArray();
  }

  Place placeOf(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    int line = found >= 0 ? found : -found - 2;
    return new Place(path, line, offset - lineStarts[line]);
  }

  @Override
  public CharSequence getCharContent(boolean ignoreEncodingErrors) {
    return text;
  }

  /** A renamed public class may stay in its file while the compiler is asked. */
  @Override
  public boolean isNameCompatible(String simpleName, Kind kind) {
    return kind == Kind.SOURCE;
  }

  @Override
  public NestingKind getNestingKind() {
    return null;
  }

  @Override
  public Modifier getAccessLevel() {
    return null;
  }

  /** Returns the first word at or behind an offset, or null. */
  Word wordFrom(int offset) {
    int index = indexFrom(offset);
    return index < words.size() ? words.get(index) : null;
  }

  /** Returns the last word that ends at or before an offset and begins at or behind `start`, or null. */
  Word lastWordIn(int start, int end) {
    Word last = null;
    for (int index = indexFrom(start); index < words.size() && words.get(index).end() <= end; index++) {
      last = words.get(index);
    }
    return last;
  }

  /** Returns the first word with this text at or behind `start` and before `end`, or null. */
  Word find(String name, int start, int end) {
    for (int index = indexFrom(start); index < words.size() && words.get(index).start() < end; index++) {
      if (words.get(index).text().equals(name)) return words.get(index);
    }
    return null;
  }

  private int indexFrom(int offset) {
    int low = 0;
    int high = words.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (words.get(middle).start() < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private static List<Word> wordsIn(String text) {
    List<Word> words = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      char next = text.charAt(at);
      if (text.startsWith("//", at)) at = endOf(text, "\n", at + 2);
      else if (text.startsWith("/*", at)) at = endOf(text, "*/", at + 2);
      else if (text.startsWith("\"\"\"", at)) at = endOfLiteral(text, "\"\"\"", at + 3);
      else if (next == '"' || next == '\'') at = endOfLiteral(text, String.valueOf(next), at + 1);
      else if (Character.isJavaIdentifierStart(next)) {
        int end = at + 1;
        while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) end++;
        words.add(new Word(at, text.substring(at, end)));
        at = end;
      } else if (Character.isDigit(next)) {
        while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) at++;
      } else at++;
    }
    return words;
  }

  private static int endOf(String text, String mark, int from) {
    int found = text.indexOf(mark, from);
    return found < 0 ? text.length() : found + mark.length();
  }

  private static int endOfLiteral(String text, String mark, int from) {
    int at = from;
    while (at < text.length() && !text.startsWith(mark, at)) at += text.charAt(at) == '\\' ? 2 : 1;
    return at + mark.length();
  }
}
