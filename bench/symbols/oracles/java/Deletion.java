import com.sun.source.tree.ClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.SourcePositions;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.lang.model.element.ElementKind;

/** Says whether the package still compiles, and means the same, without a declaration. */
final class Deletion {
  final int firstLine;
  final int lastLine;
  /** Empty if nothing needs the declaration. */
  final String problem;

  private Deletion(int firstLine, int lastLine, String problem) {
    this.firstLine = firstLine;
    this.lastLine = lastLine;
    this.problem = problem;
  }

  static Deletion of(Symbol symbol, Project project, Project.Analysis analysis) throws IOException {
    SourcePositions positions = analysis.trees().getSourcePositions();
    Tree tree = symbol.tree.getLeaf();
    int start = (int) positions.getStartPosition(symbol.tree.getCompilationUnit(), tree);
    int end = (int) positions.getEndPosition(symbol.tree.getCompilationUnit(), tree);
    int first = symbol.source.placeOf(start).line();
    int last = symbol.source.placeOf(end).line();
    if (isPart(symbol, positions, start)) {
      return new Deletion(first, last, "the declaration is only a part of its statement");
    }
    String text = symbol.source.text;
    if (symbol.element.getKind() == ElementKind.ENUM_CONSTANT) {
      int next = end;
      while (Character.isWhitespace(text.charAt(next))) next++;
      if (text.charAt(next) == ',') end = next + 1;
    }
    SourceText without = new SourceText(symbol.source.path, text.substring(0, start) + text.substring(end));
    Set<String> usual = analysis.errors().stream().map(Project::textOf).collect(Collectors.toSet());
    String error =
        project.analyze(Map.of(symbol.source.path, without)).errors().stream()
            .map(Project::textOf)
            .filter(one -> !usual.contains(one))
            .findFirst()
            .orElse("");
    return new Deletion(first, last, error.isEmpty() ? otherMeaning(symbol, first, last) : error);
  }

  /** A use that compiles without the declaration means something else then, such as another overload. */
  private static String otherMeaning(Symbol symbol, int first, int last) {
    Set<Place> uses = new TreeSet<>(symbol.uses);
    uses.addAll(symbol.implicit);
    for (Place use : uses) {
      boolean isInside = use.file().equals(symbol.at.file()) && first <= use.line() && use.line() <= last;
      if (!isInside) return use.file() + ":" + (use.line() + 1) + " would mean another declaration";
    }
    return "";
  }

  private static boolean isPart(Symbol symbol, SourcePositions positions, int start) {
    if (!(symbol.tree.getLeaf() instanceof VariableTree) || symbol.element.getKind() == ElementKind.ENUM_CONSTANT) {
      return false;
    }
    if (symbol.element.getEnclosingElement().getKind() == ElementKind.RECORD && !isStatic(symbol)) return true;
    if (!(symbol.tree.getParentPath().getLeaf() instanceof ClassTree owner)) return false;
    return owner.getMembers().stream()
            .filter(member -> member instanceof VariableTree)
            .filter(member -> positions.getStartPosition(symbol.tree.getCompilationUnit(), member) == start)
            .count()
        > 1;
  }

  private static boolean isStatic(Symbol symbol) {
    return symbol.element.getModifiers().contains(javax.lang.model.element.Modifier.STATIC);
  }
}
