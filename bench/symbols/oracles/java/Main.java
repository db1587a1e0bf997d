import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.ElementKind;

/**
 * Reads a Java package with the compiler's own parser and resolution and prints, as JSON, its symbols and their
 * references, its implementations, its errors, those of changed files (on standard input), or what its symbols' deletions break.
 */
public final class Main {
  public static void main(String[] args) throws IOException {
    if (args.length < 3) {
      System.err.println("usage: Main <directory> <source directories> list|judge|delete|problems|errors|implementations <file:line:name …>");
      System.exit(1);
    }
    Project project = new Project(Path.of(args[0]), List.of(args[1].split(" ")));
    Project.Analysis analysis = project.analyze(java.util.Map.of());
    if (args[2].equals("problems")) {
      print("[" + String.join(",", analysis.errors().stream().map(Project::textOf).map(Main::quoted).toList()) + "]");
      return;
    }
    if (args[2].equals("errors")) {
      List<String> changes = new ArrayList<>();
      for (Set<Errors.Found> found : Errors.of(project, analysis, System.in)) {
        changes.add("[" + String.join(",", found.stream().map(Main::row).toList()) + "]");
      }
      print("[" + String.join(",\n", changes) + "]");
      return;
    }
    Symbols symbols = new Symbols(analysis);
    if (args[2].equals("implementations")) {
      List<String> implemented = new ArrayList<>();
      Implementations.of(analysis, symbols).forEach((symbol, found) -> implemented.add(row(symbol, found)));
      print("[" + String.join(",\n", implemented) + "]");
      return;
    }
    if (args[2].equals("links")) {
      print("[" + String.join(",\n", Links.of(analysis, symbols).stream().map(Main::row).toList()) + "]");
      return;
    }
    Uses.collect(analysis, symbols);
    Overrides.link(analysis, symbols);
    Set<String> chosen = args.length > 3 ? Set.of(args[3].split(" ")) : Set.of();
    Renaming renaming = new Renaming(project, symbols, analysis);
    List<String> rows = new ArrayList<>();
    for (Symbol symbol : symbols.all()) {
      if (!args[2].equals("list") && !chosen.contains(keyOf(symbol))) continue;
      if (args[2].equals("delete")) {
        rows.add(row(symbol, Deletion.of(symbol, project, analysis)));
        continue;
      }
      boolean isAlone = symbol.related.isEmpty() && !symbol.overridesForeign;
      // A constructor has no name of its own.
      if (args[2].equals("judge") && isAlone && symbol.element.getKind() != ElementKind.CONSTRUCTOR) {
        renaming.rename(symbol);
      }
      rows.add(row(symbol));
    }
    print("[" + String.join(",\n", rows) + "]");
  }

  private static String keyOf(Symbol symbol) {
    return symbol.at.file() + ":" + symbol.at.line() + ":" + symbol.at.column();
  }

  private static String row(Symbol symbol) {
    return "{" + common(symbol)
        + ",\"uses\":" + places(symbol.uses)
        + ",\"implicit\":" + places(symbol.implicit)
        + ",\"documented\":" + places(symbol.documented)
        + ",\"related\":" + places(symbol.related)
        + ",\"overridesForeign\":" + symbol.overridesForeign
        + (symbol.renamed == null ? "" : ",\"renamed\":" + places(symbol.renamed))
        + (symbol.problem == null ? "" : ",\"problem\":" + quoted(symbol.problem))
        + "}";
  }

  private static String row(Symbol symbol, Deletion deletion) {
    return "{" + common(symbol)
        + ",\"firstLine\":" + deletion.firstLine
        + ",\"lastLine\":" + deletion.lastLine
        + ",\"overrides\":" + (!symbol.related.isEmpty() || symbol.overridesForeign)
        + ",\"problem\":" + quoted(deletion.problem)
        + "}";
  }

  private static String row(Symbol symbol, Implementations.Found found) {
    return "{" + common(symbol) + ",\"must\":" + places(found.must()) + ",\"may\":" + places(found.may()) + "}";
  }

  private static String row(Links.Link link) {
    return "{\"kind\":" + quoted(link.isOverride() ? "override" : "use")
        + ",\"at\":" + place(link.at())
        + ",\"name\":" + quoted(link.name())
        + ",\"to\":[" + (link.to() == null ? quoted(link.foreign()) : place(link.to()))
        + "]}";
  }

  private static String row(Errors.Found error) {
    return "{\"file\":" + quoted(error.file())
        + ",\"line\":" + error.line()
        + ",\"message\":" + quoted(error.message())
        + "}";
  }

  private static String common(Symbol symbol) {
    return "\"name\":" + quoted(symbol.name)
        + ",\"namePath\":" + quoted(symbol.namePath)
        + ",\"kind\":" + quoted(symbol.kind)
        + ",\"isExported\":" + symbol.isExported
        + ",\"isMember\":" + symbol.isMember
        + ",\"at\":" + place(symbol.at);
  }

  private static String places(Collection<Place> places) {
    return "[" + String.join(",", places.stream().map(Main::place).toList()) + "]";
  }

  private static String place(Place place) {
    return "{\"file\":" + quoted(place.file()) + ",\"line\":" + place.line() + ",\"column\":" + place.column() + "}";
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char next : text.toCharArray()) {
      if (next == '"' || next == '\\') quoted.append('\\').append(next);
      else if (next < ' ') quoted.append(String.format("\\u%04x", (int) next));
      else quoted.append(next);
    }
    return quoted.append('"').toString();
  }

  private static void print(String json) {
    System.out.writeBytes((json + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
