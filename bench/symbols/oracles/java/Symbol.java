import com.sun.source.util.TreePath;
import java.util.Set;
import java.util.TreeSet;
import javax.lang.model.element.Element;

/** One declaration that a caller may ask about, and where the compiler finds it. */
final class Symbol {
  final Element element;
  final TreePath tree;
  final SourceText source;
  final SourceText.Word word;
  final Place at;
  String name;
  String namePath;
  String kind;
  boolean isExported;
  /** False for what is inside a method or an anonymous class. */
  boolean isMember;
  /** Identifiers that the compiler resolves to the declaration. */
  final Set<Place> uses = new TreeSet<>();
  /** Uses without an identifier of this name, such as a call of `super` that nobody wrote. */
  final Set<Place> implicit = new TreeSet<>();
  final Set<Place> documented = new TreeSet<>();
  /** Declarations and uses of methods that override this one, or that it overrides. */
  final Set<Place> related = new TreeSet<>();
  /** True if a method outside the package belongs to them, so that the name cannot change. */
  boolean overridesForeign;
  /** Identifiers that have to be renamed with the declaration; null before the experiment. */
  Set<Place> renamed;
  /** The error that the experiment leaves. */
  String problem;

  Symbol(Element element, TreePath tree, SourceText source, SourceText.Word word) {
    this.element = element;
    this.tree = tree;
    this.source = source;
    this.word = word;
    this.at = source.placeOf(word.start());
  }
}
