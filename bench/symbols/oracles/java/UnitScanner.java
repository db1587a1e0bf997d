import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePathScanner;
import javax.lang.model.element.Element;

/** Walks one file, with the positions of its trees and what the compiler resolves them to. */
abstract class UnitScanner extends TreePathScanner<Void, Void> {
  final Project.Analysis analysis;
  final CompilationUnitTree unit;
  final SourceText source;

  UnitScanner(Project.Analysis analysis, CompilationUnitTree unit) {
    this.analysis = analysis;
    this.unit = unit;
    this.source = analysis.units().get(unit);
  }

  final void scanUnit() {
    scan(unit, null);
  }

  final Element elementHere() {
    return analysis.trees().getElement(getCurrentPath());
  }

  final int start(Tree tree) {
    return (int) analysis.trees().getSourcePositions().getStartPosition(unit, tree);
  }

  final int end(Tree tree) {
    return (int) analysis.trees().getSourcePositions().getEndPosition(unit, tree);
  }
}
