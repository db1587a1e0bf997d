import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.VariableTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;

/** Finds what every name leads to, and what every method overrides. */
final class Links {
  /** A name and what it leads to: a place, or the qualified name of what the sources do not declare. */
  record Link(boolean isOverride, Place at, String name, Place to, String foreign) {}

  private final Project.Analysis analysis;
  private final Symbols symbols;
  private final Map<Element, Place> locals = new HashMap<>();
  private final List<Link> found = new ArrayList<>();

  private Links(Project.Analysis analysis, Symbols symbols) {
    this.analysis = analysis;
    this.symbols = symbols;
  }

  static List<Link> of(Project.Analysis analysis, Symbols symbols) {
    Links links = new Links(analysis, symbols);
    for (CompilationUnitTree unit : analysis.units().keySet()) links.new Locals(unit).scanUnit();
    for (CompilationUnitTree unit : analysis.units().keySet()) links.new Names(unit).scanUnit();
    return links.found;
  }

  private final class Locals extends UnitScanner {
    Locals(CompilationUnitTree unit) {
      super(Links.this.analysis, unit);
    }

    @Override
    public Void visitVariable(VariableTree tree, Void unused) {
      if (elementHere() != null && start(tree) >= 0) locals.put(elementHere(), source.placeOf(start(tree)));
      return super.visitVariable(tree, null);
    }
  }

  private final class Names extends UnitScanner {
    Names(CompilationUnitTree unit) {
      super(Links.this.analysis, unit);
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void unused) {
      SourceText.Word word = source.wordFrom(start(tree));
      // The constructor that javac adds has a `super` where the class begins.
      if (word != null && tree.getName().contentEquals(word.text())) add(start(tree), word);
      return super.visitIdentifier(tree, null);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void unused) {
      add(start(tree), source.lastWordIn(start(tree), end(tree)));
      return super.visitMemberSelect(tree, null);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void unused) {
      add(start(tree), source.lastWordIn(start(tree), end(tree)));
      return super.visitMemberReference(tree, null);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void unused) {
      add(start(tree), source.wordFrom(start(tree)));
      return super.visitNewClass(tree, null);
    }

    @Override
    public Void visitClass(ClassTree tree, Void unused) {
      if (elementHere() instanceof TypeElement type && start(tree) >= 0) {
        addOverrides(type, source.placeOf(start(tree)));
      }
      return super.visitClass(tree, null);
    }

    private void add(int start, SourceText.Word word) {
      Element element = elementHere();
      if (element == null || start < 0 || word == null || word.start() < start) return;
      if (element.getKind() == ElementKind.PACKAGE) return;
      put(false, source.placeOf(word.start()), word.text(), element);
    }
  }

  /** A method of a class may implement one of an interface that only a class below it names. */
  private void addOverrides(TypeElement type, Place at) {
    List<ExecutableElement> methods = new ArrayList<>();
    for (TypeElement one : Overrides.supertypes(analysis, type)) {
      for (Element member : one.getEnclosedElements()) {
        if (member.getKind() == ElementKind.METHOD) methods.add((ExecutableElement) member);
      }
    }
    for (ExecutableElement own : methods) {
      boolean isInherited = own.getEnclosingElement() != type;
      Symbol symbol = symbols.of(own);
      for (ExecutableElement other : methods) {
        if (own == other || !own.getSimpleName().equals(other.getSimpleName())) continue;
        if (symbol == null && (!isInherited || symbols.of(other) == null)) continue;
        if (!analysis.task().getElements().overrides(own, other, type)) continue;
        put(true, symbol == null ? at : symbol.at, own.getSimpleName().toString(), other);
      }
    }
  }

  private void put(boolean isOverride, Place at, String name, Element target) {
    Symbol symbol = symbols.of(target);
    Place place = symbol == null ? locals.get(target) : symbol.at;
    String foreign = place == null ? target.getEnclosingElement() + "." + target : null;
    found.add(new Link(isOverride, at, name, place, foreign));
  }
}
