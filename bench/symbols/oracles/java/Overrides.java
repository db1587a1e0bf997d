import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;

/** Links methods that override one another, directly or through a type that inherits both. */
final class Overrides {
  private final Project.Analysis analysis;
  private final Symbols symbols;
  private final Map<ExecutableElement, Set<ExecutableElement>> links = new HashMap<>();

  private Overrides(Project.Analysis analysis, Symbols symbols) {
    this.analysis = analysis;
    this.symbols = symbols;
  }

  static void link(Project.Analysis analysis, Symbols symbols) {
    Overrides overrides = new Overrides(analysis, symbols);
    for (CompilationUnitTree unit : analysis.units().keySet()) {
      new UnitScanner(analysis, unit) {
        @Override
        public Void visitClass(ClassTree tree, Void unused) {
          if (elementHere() instanceof TypeElement type) overrides.linkIn(type);
          return super.visitClass(tree, null);
        }
      }.scanUnit();
    }
    for (Symbol symbol : symbols.all()) overrides.describe(symbol);
  }

  private void linkIn(TypeElement type) {
    Elements elements = analysis.task().getElements();
    List<ExecutableElement> methods = new ArrayList<>();
    for (TypeElement one : supertypes(analysis, type)) {
      for (Element member : one.getEnclosedElements()) {
        if (member.getKind() == ElementKind.METHOD) methods.add((ExecutableElement) member);
      }
    }
    for (List<ExecutableElement> same :
        methods.stream().collect(Collectors.groupingBy(Element::getSimpleName)).values()) {
      for (ExecutableElement first : same) {
        for (ExecutableElement second : same) {
          if (first == second || !elements.overrides(first, second, type)) continue;
          links.computeIfAbsent(first, key -> new LinkedHashSet<>()).add(second);
          links.computeIfAbsent(second, key -> new LinkedHashSet<>()).add(first);
        }
      }
    }
  }

  /** Returns the type itself and all types above it. */
  static Set<TypeElement> supertypes(Project.Analysis analysis, TypeElement type) {
    Set<TypeElement> types = new LinkedHashSet<>(Set.of(type));
    Deque<TypeElement> left = new ArrayDeque<>(types);
    while (!left.isEmpty()) {
      for (TypeMirror supertype : analysis.task().getTypes().directSupertypes(left.pop().asType())) {
        if (!(supertype instanceof DeclaredType declared)) continue;
        TypeElement above = (TypeElement) declared.asElement();
        if (types.add(above)) left.push(above);
      }
    }
    return types;
  }

  private void describe(Symbol symbol) {
    if (!(symbol.element instanceof ExecutableElement method)) return;
    Set<ExecutableElement> linked = new LinkedHashSet<>(Set.of(method));
    Deque<ExecutableElement> left = new ArrayDeque<>(linked);
    while (!left.isEmpty()) {
      for (ExecutableElement next : links.getOrDefault(left.pop(), Set.of())) if (linked.add(next)) left.push(next);
    }
    linked.remove(method);
    for (ExecutableElement other : linked) {
      Symbol known = symbols.of(other);
      if (known == null) {
        symbol.overridesForeign = true;
        symbol.related.addAll(symbols.foreignUses.getOrDefault(other, Set.of()));
        continue;
      }
      symbol.related.add(known.at);
      symbol.related.addAll(known.uses);
      symbol.related.addAll(known.implicit);
      symbol.related.addAll(known.documented);
    }
  }
}
