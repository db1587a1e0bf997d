import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberReferenceTree;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/** Links types with their subtypes, and methods with those that are called in their place. */
final class Implementations {
  /** What implements a type or a method. */
  record Found(Set<Place> must, Set<Place> may) {}

  private final Project.Analysis analysis;
  private final Symbols symbols;
  private final Map<Symbol, Found> found = new LinkedHashMap<>();

  private Implementations(Project.Analysis analysis, Symbols symbols) {
    this.analysis = analysis;
    this.symbols = symbols;
  }

  /**
   * Returns all abstract types and methods, and others that have an implementation. Other interfaces, abstract methods,
   * bodies of constants of enumerations, lambdas and accessors that nobody wrote may be named.
   */
  static Map<Symbol, Found> of(Project.Analysis analysis, Symbols symbols) {
    Implementations all = new Implementations(analysis, symbols);
    for (Symbol symbol : symbols.all()) {
      if (symbol.element.getModifiers().contains(Modifier.ABSTRACT)) all.foundOf(symbol);
    }
    for (CompilationUnitTree unit : analysis.units().keySet()) all.new Scanner(unit).scanUnit();
    return all.found;
  }

  private Found foundOf(Symbol symbol) {
    return found.computeIfAbsent(symbol, key -> new Found(new TreeSet<>(), new TreeSet<>()));
  }

  private void add(Symbol implemented, Place place, boolean isDoubtful) {
    Found known = foundOf(implemented);
    (isDoubtful ? known.may : known.must).add(place);
  }

  private final class Scanner extends UnitScanner {
    Scanner(CompilationUnitTree unit) {
      super(Implementations.this.analysis, unit);
    }

    @Override
    public Void visitClass(ClassTree tree, Void unused) {
      if (elementHere() instanceof TypeElement type) addType(type);
      return super.visitClass(tree, null);
    }

    @Override
    public Void visitLambdaExpression(LambdaExpressionTree tree, Void unused) {
      addFunction(tree);
      return super.visitLambdaExpression(tree, null);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void unused) {
      addFunction(tree);
      return super.visitMemberReference(tree, null);
    }

    private void addType(TypeElement type) {
      Symbol own = symbols.of(type);
      // An anonymous class begins with the expression that it belongs to.
      Place place = own != null ? own.at : source.placeOf(start(getCurrentPath().getParentPath().getLeaf()));
      boolean isConstant =
          type.getSuperclass() instanceof DeclaredType extended && extended.asElement().getKind() == ElementKind.ENUM;
      for (TypeElement above : Overrides.supertypes(analysis, type)) {
        Symbol implemented = symbols.of(above);
        if (above == type || implemented == null) continue;
        add(implemented, place, type.getKind().isInterface() || isConstant);
        for (Element method : above.getEnclosedElements()) {
          Symbol known = symbols.of(method);
          if (method.getKind() == ElementKind.METHOD && known != null) addMethods(type, (ExecutableElement) method, known);
        }
      }
    }

    /** An inherited method may implement one of an interface that its own type does not know. */
    private void addMethods(TypeElement type, ExecutableElement implemented, Symbol known) {
      for (Element member : analysis.task().getElements().getAllMembers(type)) {
        if (member == implemented || !(member instanceof ExecutableElement method)) continue;
        if (!method.getSimpleName().equals(implemented.getSimpleName())) continue;
        if (!analysis.task().getElements().overrides(method, implemented, type)) continue;
        Symbol own = symbols.of(method);
        if (own == null) continue;
        add(known, own.at, own.element != method || method.getModifiers().contains(Modifier.ABSTRACT));
      }
    }

    private void addFunction(ExpressionTree tree) {
      if (!(analysis.trees().getTypeMirror(getCurrentPath()) instanceof DeclaredType declared)) return;
      Place place = source.placeOf(start(tree));
      for (TypeElement above : Overrides.supertypes(analysis, (TypeElement) declared.asElement())) {
        Symbol implemented = symbols.of(above);
        if (implemented == null) continue;
        add(implemented, place, true);
        for (Element method : above.getEnclosedElements()) {
          Symbol known = symbols.of(method);
          if (known != null && method.getModifiers().contains(Modifier.ABSTRACT)) add(known, place, true);
        }
      }
    }
  }
}
