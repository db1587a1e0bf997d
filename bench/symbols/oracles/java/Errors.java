import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;

/** Lists what the compiler reports after each of some changes. */
final class Errors {
  /** An error; the line is 0-based. */
  record Found(String file, int line, String message) {}

  private Errors() {}

  /**
   * Returns the errors that the unchanged package does not have, for each change alone: a line with the file's path and
   * its new text in Base64. After a syntax error, the others are not listed.
   */
  static List<Set<Found>> of(Project project, Project.Analysis unchanged, InputStream changes) throws IOException {
    Set<String> usual = unchanged.errors().stream().map(Project::textOf).collect(Collectors.toSet());
    List<Set<Found>> found = new ArrayList<>();
    BufferedReader lines = new BufferedReader(new InputStreamReader(changes, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      int gap = line.lastIndexOf(' ');
      String text = new String(Base64.getDecoder().decode(line.substring(gap + 1)), StandardCharsets.UTF_8);
      String path = line.substring(0, gap);
      Project.Analysis analysis = project.analyze(Map.of(path, new SourceText(path, text)));
      Set<Found> errors = new LinkedHashSet<>();
      for (Diagnostic<? extends JavaFileObject> error : analysis.firstErrors()) {
        if (usual.contains(Project.textOf(error)) || !(error.getSource() instanceof SourceText source)) continue;
        if (isConsequence(error, source, analysis)) continue;
        errors.add(new Found(source.path, (int) error.getLineNumber() - 1, error.getMessage(null)));
      }
      found.add(errors);
    }
    return found;
  }

  /**
   * True for a method that overrides nothing because a type above its class is missing, which is an error of its own:
   * what it overrides is unknown.
   */
  private static boolean isConsequence(Diagnostic<?> error, SourceText source, Project.Analysis analysis) {
    if (!error.getCode().equals("compiler.err.method.does.not.override.superclass")) return false;
    return analysis.units().entrySet().stream()
        .anyMatch(unit -> unit.getValue() == source && MissingBase.isAbove(analysis, unit.getKey(), error.getPosition()));
  }
}
