import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** The sources below some directories of a package, and the compiler for them, with the archives in `lib`. */
final class Project {
  /** What the compiler knows after the analysis, and its errors. */
  record Analysis(
      DocTrees trees,
      JavacTask task,
      Map<CompilationUnitTree, SourceText> units,
      List<Diagnostic<? extends JavaFileObject>> errors,
      /** The number of errors of the parser, which come first. */
      int syntaxErrors) {
    /** Returns the errors of the parser, or all others if there is none. */
    List<Diagnostic<? extends JavaFileObject>> firstErrors() {
      return syntaxErrors > 0 ? errors.subList(0, syntaxErrors) : errors;
    }
  }

  final Map<String, SourceText> files = new TreeMap<>();
  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);

  Project(Path root, List<String> directories) throws IOException {
    for (String directory : directories) {
      if (!Files.isDirectory(root.resolve(directory))) continue;
      for (Path path : listed(root.resolve(directory), ".java")) {
        String relative = root.relativize(path).toString().replace('\\', '/');
        files.put(relative, new SourceText(relative, Files.readString(path)));
      }
    }
    List<Path> archives = Files.isDirectory(root.resolve("lib")) ? listed(root.resolve("lib"), ".jar") : List.of();
    manager.setLocationFromPaths(StandardLocation.CLASS_PATH, archives);
  }

  private static List<Path> listed(Path directory, String ending) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(path -> path.toString().endsWith(ending)).sorted().toList();
    }
  }

  /** Compiles everything without writing classes; `changed` replaces files by path. */
  Analysis analyze(Map<String, SourceText> changed) throws IOException {
    Map<String, SourceText> all = new TreeMap<>(files);
    all.putAll(changed);
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    // All errors of all classes, not those of the first phase that has one.
    List<String> options =
        List.of("-proc:none", "-nowarn", "-Xlint:none", "-Xdiags:verbose", "-Xmaxerrs", "100000", "-XDshould-stop.ifError=FLOW");
    JavacTask task = (JavacTask) compiler.getTask(null, manager, problems, options, null, all.values());
    Map<URI, SourceText> byUri = new HashMap<>();
    for (SourceText source : all.values()) byUri.put(source.toUri(), source);
    Map<CompilationUnitTree, SourceText> units = new LinkedHashMap<>();
    for (CompilationUnitTree unit : task.parse()) units.put(unit, byUri.get(unit.getSourceFile().toUri()));
    int syntaxErrors = errorsIn(problems).size();
    task.analyze();
    return new Analysis(DocTrees.instance(task), task, units, errorsIn(problems), syntaxErrors);
  }

  private static List<Diagnostic<? extends JavaFileObject>> errorsIn(DiagnosticCollector<JavaFileObject> problems) {
    return problems.getDiagnostics().stream().filter(one -> one.getKind() == Diagnostic.Kind.ERROR).toList();
  }

  /** Returns an error without its line, so that errors of changed files can be compared. */
  static String textOf(Diagnostic<? extends JavaFileObject> error) {
    String path = error.getSource() instanceof SourceText source ? source.path : "";
    return path + ": " + error.getMessage(null).replaceAll("\\s*\\n\\s*", "; ");
  }
}
