import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import java.util.stream.Stream;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;

/** Finds whether a type above the innermost class around an offset is missing. */
final class MissingBase extends UnitScanner {
  private final long offset;
  private TypeElement innermost;

  private MissingBase(Project.Analysis analysis, CompilationUnitTree unit, long offset) {
    super(analysis, unit);
    this.offset = offset;
  }

  static boolean isAbove(Project.Analysis analysis, CompilationUnitTree unit, long offset) {
    MissingBase scanner = new MissingBase(analysis, unit, offset);
    scanner.scanUnit();
    return scanner.innermost != null && isMissingAbove(scanner.innermost);
  }

  @Override
  public Void visitClass(ClassTree tree, Void unused) {
    boolean isAround = start(tree) <= offset && offset < end(tree);
    if (isAround && elementHere() instanceof TypeElement element) innermost = element;
    return super.visitClass(tree, unused);
  }

  private static boolean isMissingAbove(TypeElement type) {
    return Stream.concat(Stream.of(type.getSuperclass()), type.getInterfaces().stream()).anyMatch(MissingBase::isMissing);
  }

  private static boolean isMissing(TypeMirror type) {
    if (type.getKind() == TypeKind.ERROR) return true;
    return type instanceof DeclaredType declared && isMissingAbove((TypeElement) declared.asElement());
  }
}
