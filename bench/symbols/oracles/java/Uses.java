import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.ReferenceTree;
import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocSourcePositions;
import com.sun.source.util.DocTreePath;
import com.sun.source.util.DocTreePathScanner;
import com.sun.source.util.TreePath;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;

/** Finds what the compiler resolves to the declarations. */
final class Uses {
  private static final Pattern name = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*");

  private final Project.Analysis analysis;
  private final Symbols symbols;
  private final DocSourcePositions positions;

  private Uses(Project.Analysis analysis, Symbols symbols) {
    this.analysis = analysis;
    this.symbols = symbols;
    this.positions = analysis.trees().getSourcePositions();
  }

  static void collect(Project.Analysis analysis, Symbols symbols) {
    Uses uses = new Uses(analysis, symbols);
    for (CompilationUnitTree unit : analysis.units().keySet()) uses.new Scanner(unit).scanUnit();
  }

  private final class Scanner extends UnitScanner {
    Scanner(CompilationUnitTree unit) {
      super(Uses.this.analysis, unit);
    }

    @Override
    public Void scan(Tree tree, Void unused) {
      Void result = super.scan(tree, null);
      if (tree == null || getCurrentPath() == null) return result;
      TreePath path = new TreePath(getCurrentPath(), tree);
      DocCommentTree comment = analysis.trees().getDocCommentTree(path);
      if (comment != null) new References(unit, comment, source).scan(new DocTreePath(path, comment), null);
      return result;
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void unused) {
      addUse(elementHere(), source.wordFrom(start(tree)), start(tree));
      return super.visitIdentifier(tree, null);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void unused) {
      addUse(elementHere(), source.lastWordIn(start(tree), end(tree)), start(tree));
      return super.visitMemberSelect(tree, null);
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void unused) {
      addUse(elementHere(), source.lastWordIn(start(tree), end(tree)), start(tree));
      return super.visitMemberReference(tree, null);
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void unused) {
      Tree type = tree.getIdentifier();
      while (type instanceof ParameterizedTypeTree || type instanceof AnnotatedTypeTree) {
        if (type instanceof ParameterizedTypeTree generic) type = generic.getType();
        else if (type instanceof AnnotatedTypeTree annotated) type = annotated.getUnderlyingType();
      }
      addUse(elementHere(), source.lastWordIn(start(type), end(type)), start(type));
      return super.visitNewClass(tree, null);
    }

    /** The compiler resolves the type of a static import, and all its members of that name are imported. */
    @Override
    public Void visitImport(ImportTree tree, Void unused) {
      if (tree.isStatic() && tree.getQualifiedIdentifier() instanceof MemberSelectTree select) {
        TreePath path = new TreePath(new TreePath(getCurrentPath(), select), select.getExpression());
        if (analysis.trees().getElement(path) instanceof TypeElement type) {
          List<Symbol> imported =
              analysis.task().getElements().getAllMembers(type).stream()
                  .filter(member -> member.getSimpleName().equals(select.getIdentifier()))
                  .map(symbols::of)
                  .filter(symbol -> symbol != null)
                  .toList();
          Place place = source.placeOf(source.lastWordIn(start(select), end(select)).start());
          for (Symbol symbol : imported) (imported.size() == 1 ? symbol.uses : symbol.implicit).add(place);
        }
      }
      return super.visitImport(tree, null);
    }

    private void addUse(Element element, SourceText.Word word, int start) {
      Symbol symbol = symbols.of(element);
      if (symbol == null && element != null && element.getKind() == ElementKind.METHOD && start >= 0 && word != null) {
        symbols.foreignUses.computeIfAbsent(element, key -> new TreeSet<>()).add(source.placeOf(word.start()));
      }
      // The type of a lambda's parameter may be nowhere in the text.
      if (symbol == null || start < 0) return;
      boolean isConstructor = symbol.element.getKind() == ElementKind.CONSTRUCTOR;
      boolean isNamed = word != null && word.text().equals(symbol.name);
      boolean isCall = isConstructor && word != null && word.text().matches("this|super|new");
      if (isNamed && word.start() == symbol.word.start() && source == symbol.source) return;
      if ((isNamed && word.start() >= start) || (isCall && word.start() >= start && isWritten(word, start))) {
        symbol.uses.add(source.placeOf(word.start()));
      } else symbol.implicit.add(source.placeOf(start));
    }

    /** A call of `super` that nobody wrote has the position of the body. */
    private boolean isWritten(SourceText.Word word, int start) {
      return word.text().equals("new") || word.start() == start;
    }
  }

  /** References in documentation: `Outer.Inner#member(Type)`. */
  private final class References extends DocTreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final DocCommentTree comment;
    private final SourceText source;

    References(CompilationUnitTree unit, DocCommentTree comment, SourceText source) {
      this.unit = unit;
      this.comment = comment;
      this.source = source;
    }

    @Override
    public Void visitReference(ReferenceTree tree, Void unused) {
      int start = (int) positions.getStartPosition(unit, comment, tree);
      int end = (int) positions.getEndPosition(unit, comment, tree);
      if (start < 0 || end < start) return null;
      Matcher word = name.matcher(source.text).region(start, end);
      while (word.find()) {
        for (Symbol symbol : symbols.all()) {
          if (symbol.name.equals(word.group())) symbol.documented.add(source.placeOf(word.start()));
        }
      }
      return null;
    }
  }
}
