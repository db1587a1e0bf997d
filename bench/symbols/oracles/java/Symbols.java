import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;

/** All types, members and constructors that the sources declare, in the order of the files. */
final class Symbols {
  private static final Set<String> typeWords = Set.of("class", "interface", "enum", "record");

  final Map<Element, Symbol> byElement = new LinkedHashMap<>();
  /** Uses of methods outside the sources, which those of the sources may override. */
  final Map<Element, Set<Place>> foreignUses = new HashMap<>();
  private final Elements elements;

  Symbols(Project.Analysis analysis) {
    this.elements = analysis.task().getElements();
    for (CompilationUnitTree unit : analysis.units().keySet()) new Scanner(analysis, unit).scanUnit();
    for (Symbol symbol : byElement.values()) describe(symbol);
    numberOverloads();
    for (Symbol symbol : byElement.values()) symbol.namePath = namePathOf(symbol);
  }

  List<Symbol> all() {
    return new ArrayList<>(byElement.values());
  }

  /** Returns the declaration that a use of this element leads to, or null for one outside the sources. */
  Symbol of(Element element) {
    Symbol own = byElement.get(element);
    if (own != null || element == null || element.getKind() != ElementKind.METHOD) return own;
    // The accessor that nobody wrote stands for its component.
    if (element.getEnclosingElement().getKind() != ElementKind.RECORD) return null;
    if (!((ExecutableElement) element).getParameters().isEmpty()) return null;
    return byElement.values().stream()
        .filter(other -> other.element.getEnclosingElement() == element.getEnclosingElement())
        .filter(other -> other.element.getKind() == ElementKind.FIELD)
        .filter(other -> other.element.getSimpleName().equals(element.getSimpleName()))
        .findFirst()
        .orElse(null);
  }

  private final class Scanner extends UnitScanner {
    Scanner(Project.Analysis analysis, CompilationUnitTree unit) {
      super(analysis, unit);
    }

    @Override
    public Void visitClass(ClassTree tree, Void unused) {
      if (!tree.getSimpleName().isEmpty()) {
        int from = startOf(tree, tree.getModifiers());
        SourceText.Word word = source.wordFrom(from);
        while (word != null && !typeWords.contains(word.text())) word = source.wordFrom(word.end());
        add(word == null ? null : source.wordFrom(word.end()), tree.getSimpleName().toString());
      }
      return super.visitClass(tree, null);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void unused) {
      Element element = elementHere();
      boolean isAccessor = tree.getBody() == null && isInRecord(element);
      if (element != null && !isAccessor && elements.getOrigin(element) == Elements.Origin.EXPLICIT) {
        boolean isConstructor = element.getKind() == ElementKind.CONSTRUCTOR;
        String name = (isConstructor ? element.getEnclosingElement() : element).getSimpleName().toString();
        int from = tree.getReturnType() == null ? startOf(tree, tree.getModifiers()) : end(tree.getReturnType());
        add(source.find(name, from, end(tree)), name);
      }
      return super.visitMethod(tree, null);
    }

    @Override
    public Void visitVariable(VariableTree tree, Void unused) {
      Element element = elementHere();
      ElementKind kind = element == null ? null : element.getKind();
      String name = tree.getName().toString();
      if (kind == ElementKind.ENUM_CONSTANT) add(source.wordFrom(startOf(tree, tree.getModifiers())), name);
      if (kind == ElementKind.FIELD) add(source.find(name, end(tree.getType()), end(tree)), name);
      return super.visitVariable(tree, null);
    }

    /** Methods of records have bodies, except for accessors that nobody wrote. */
    private boolean isInRecord(Element method) {
      return method != null && method.getEnclosingElement().getKind() == ElementKind.RECORD;
    }

    private void add(SourceText.Word word, String name) {
      Element element = elementHere();
      if (element == null || word == null || !word.text().equals(name)) return;
      byElement.putIfAbsent(element, new Symbol(element, getCurrentPath(), source, word));
    }

    private int startOf(Tree tree, ModifiersTree modifiers) {
      return end(modifiers) >= 0 ? end(modifiers) : start(tree);
    }
  }

  private void describe(Symbol symbol) {
    Element element = symbol.element;
    symbol.name = symbol.word.text();
    symbol.kind = kindOf(element.getKind());
    symbol.isExported = true;
    symbol.isMember = true;
    for (Element outer = element; outer.getKind() != ElementKind.PACKAGE; outer = outer.getEnclosingElement()) {
      Set<Modifier> modifiers = outer.getModifiers();
      symbol.isExported &= modifiers.contains(Modifier.PUBLIC) || modifiers.contains(Modifier.PROTECTED);
      boolean isNamed = outer instanceof TypeElement && !outer.getSimpleName().isEmpty();
      boolean isInType = outer.getEnclosingElement() instanceof TypeElement;
      symbol.isMember &= outer == element ? isInType || isNamed : isNamed;
      symbol.isMember &= isInType || outer.getEnclosingElement().getKind() == ElementKind.PACKAGE;
    }
  }

  private static String kindOf(ElementKind kind) {
    return switch (kind) {
      case ENUM_CONSTANT -> "enum constant";
      case ANNOTATION_TYPE -> "annotation";
      default -> kind.name().toLowerCase();
    };
  }

  private final Map<Symbol, String> numbers = new HashMap<>();

  /** Members of a type with equal names are numbered in the order of the file. */
  private void numberOverloads() {
    Map<Element, Map<String, List<Symbol>>> byName = new HashMap<>();
    for (Symbol symbol : byElement.values()) {
      if (!(symbol.element.getEnclosingElement() instanceof TypeElement)) continue;
      byName
          .computeIfAbsent(symbol.element.getEnclosingElement(), outer -> new HashMap<>())
          .computeIfAbsent(symbol.name, name -> new ArrayList<>())
          .add(symbol);
    }
    for (Map<String, List<Symbol>> names : byName.values()) {
      for (List<Symbol> same : names.values()) {
        same.sort((first, second) -> first.at.compareTo(second.at));
        for (int index = 0; same.size() > 1 && index < same.size(); index++) {
          numbers.put(same.get(index), "[" + index + "]");
        }
      }
    }
  }

  private String namePathOf(Symbol symbol) {
    String own = symbol.name + numbers.getOrDefault(symbol, "");
    Symbol outer = byElement.get(symbol.element.getEnclosingElement());
    return outer == null ? own : namePathOf(outer) + "/" + own;
  }
}
