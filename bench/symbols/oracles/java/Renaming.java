import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;

/** Renames one declaration and then all names at errors, until no error is left. */
final class Renaming {
  private static final int maxRounds = 30;
  private static final String ending = "Zq9";

  private final Project project;
  private final Symbols symbols;
  private final Set<String> usual;

  Renaming(Project project, Symbols symbols, Project.Analysis unchanged) {
    this.project = project;
    this.symbols = symbols;
    this.usual = unchanged.errors().stream().map(Project::textOf).collect(Collectors.toSet());
  }

  void rename(Symbol symbol) throws IOException {
    Map<String, Set<Integer>> offsets = new TreeMap<>();
    offsets.computeIfAbsent(symbol.source.path, path -> new TreeSet<>()).add(symbol.word.start());
    // Constructors have the name of their class.
    for (Element member : symbol.element.getEnclosedElements()) {
      Symbol known = symbols.byElement.get(member);
      if (known != null && member.getKind() == ElementKind.CONSTRUCTOR) {
        offsets.get(symbol.source.path).add(known.word.start());
      }
    }
    Map<String, Set<Integer>> starts = new HashMap<>();
    offsets.forEach((path, own) -> starts.put(path, Set.copyOf(own)));
    boolean isChanged = true;
    for (int round = 0; round < maxRounds && isChanged; round++) isChanged = step(symbol, offsets);
    symbol.renamed = new TreeSet<>();
    offsets.forEach((path, own) -> {
      for (int offset : own) {
        if (starts.getOrDefault(path, Set.of()).contains(offset)) continue;
        symbol.renamed.add(project.files.get(path).placeOf(offset));
      }
    });
  }

  /** Compiles with the present positions and adds those at errors; returns true if there were new ones. */
  private boolean step(Symbol symbol, Map<String, Set<Integer>> offsets) throws IOException {
    Map<String, SourceText> changed = new HashMap<>();
    for (Map.Entry<String, Set<Integer>> entry : offsets.entrySet()) {
      StringBuilder text = new StringBuilder(project.files.get(entry.getKey()).text);
      for (int offset : ((TreeSet<Integer>) entry.getValue()).descendingSet()) {
        text.insert(offset + symbol.name.length(), ending);
      }
      changed.put(entry.getKey(), new SourceText(entry.getKey(), text.toString()));
    }
    Map<String, List<Integer>> edits = new HashMap<>();
    offsets.forEach((path, own) -> edits.put(path, List.copyOf(own)));
    symbol.problem = null;
    boolean isNew = false;
    Set<Diagnostic<? extends JavaFileObject>> errors = new LinkedHashSet<>(project.analyze(changed).errors());
    for (Diagnostic<? extends JavaFileObject> error : errors) {
      if (usual.contains(Project.textOf(error)) || !(error.getSource() instanceof SourceText source)) continue;
      if (symbol.problem == null) symbol.problem = Project.textOf(error);
      SourceText.Word word = wordAt(source, error, symbol.name);
      if (word == null) continue;
      Set<Integer> own = offsets.computeIfAbsent(source.path, path -> new TreeSet<>());
      isNew |= own.add(unshifted(word.start(), edits.getOrDefault(source.path, List.of())));
    }
    return isNew;
  }

  /** An error about `a.b` begins at the dot, one about an import at the statement. */
  private static SourceText.Word wordAt(SourceText source, Diagnostic<?> error, String name) {
    SourceText.Word next = source.wordFrom((int) error.getPosition());
    if (next != null && next.text().equals(name)) return next;
    SourceText.Word last = source.lastWordIn((int) error.getStartPosition(), (int) error.getEndPosition());
    if (last != null && last.text().equals(name)) return last;
    return null;
  }

  private static int unshifted(int offset, List<Integer> edits) {
    int original = offset;
    for (int edit : edits) {
      if (edit < original) original -= ending.length();
    }
    return original;
  }
}
