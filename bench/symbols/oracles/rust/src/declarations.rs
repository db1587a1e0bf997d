use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, Attribute, Field, FieldPat, FieldValue, File, ImplItem, ImplItemConst, ImplItemFn, ImplItemType, Item, ItemEnum,
    ItemFn, ItemImpl, ItemMacro, ItemMod, ItemTrait, Member, PathSegment, Stmt, TraitItem, TraitItemFn, Variant, Visibility,
};

/// A declaration with a name, or an `impl` block.
pub struct Declaration {
    pub name: String,
    /// Names of the containers and its own, joined by `/`; an `impl` block is called as it begins, without generics.
    pub path: String,
    pub kind: &'static str,
    pub is_exported: bool,
    /// False for what cannot be renamed on its own: `impl` blocks and their items of a trait, modules in other files.
    pub is_askable: bool,
    /// Where the name begins.
    pub at: usize,
    /// The whole declaration, with attributes and comments for documentation.
    pub start: usize,
    pub end: usize,
}

#[derive(Default)]
pub struct Facts {
    pub declarations: Vec<Declaration>,
    /// Where `S { name }` stands for `S { name: name }`.
    pub shorthands: Vec<usize>,
    /// Every `Self`, with the name of the type that its `impl` block is for.
    pub self_types: Vec<(String, usize)>,
    /// Code behind `cfg` with anything but features and tests.
    pub conditional: Vec<(usize, usize)>,
    pub implementations: Vec<Implementation>,
}

/// An `impl` block of a trait.
pub struct Implementation {
    /// Where `impl` begins.
    pub at: usize,
    /// Where the path of the trait begins, and its last name.
    pub path: usize,
    pub name: usize,
}

/// Returns the facts about a parsed file.
pub fn read(tree: &File, text: &str) -> Facts {
    let mut reader = Reader { text, facts: Facts::default(), containers: Vec::new(), impls: Vec::new(), conditions: Vec::new() };
    reader.visit_file(tree);
    reader.facts
}

struct Reader<'a> {
    text: &'a str,
    facts: Facts,
    containers: Vec<String>,
    /// Names of the types of the `impl` blocks around.
    impls: Vec<String>,
    /// Where conditions begin whose code has not ended yet.
    conditions: Vec<usize>,
}

struct Own<'a> {
    kind: &'static str,
    name: &'a Ident,
    is_exported: bool,
    is_askable: bool,
}

impl Reader<'_> {
    fn slice(&self, node: &impl Spanned) -> &str {
        &self.text[node.span().byte_range()]
    }

    fn declare(&mut self, own: Own<'_>, whole: std::ops::Range<usize>) {
        let name = own.name.to_string();
        let at = own.name.span().byte_range().start;
        self.push(name, own, at, whole);
    }

    fn push(&mut self, name: String, own: Own<'_>, at: usize, whole: std::ops::Range<usize>) {
        let path = self.containers.iter().chain([&name]).cloned().collect::<Vec<_>>().join("/");
        // A raw identifier keeps its name under another spelling.
        let is_askable = own.is_askable && !name.starts_with("r#") && name != "_";
        let Own { kind, is_exported, .. } = own;
        self.facts.declarations.push(Declaration {
            name,
            path,
            kind,
            is_exported,
            is_askable,
            at,
            start: whole.start,
            end: whole.end,
        });
    }

    /// The smallest node around a condition is what it applies to.
    fn close(&mut self, node: std::ops::Range<usize>) {
        let before = self.conditions.len();
        self.conditions.retain(|at| *at < node.start);
        if self.conditions.len() < before {
            self.facts.conditional.push((node.start, node.end));
        }
    }

    fn inside(&mut self, container: String, run: impl FnOnce(&mut Self)) {
        self.containers.push(container);
        run(self);
        self.containers.pop();
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn is_exported_macro(item: &ItemMacro) -> bool {
    item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"))
}

/// A trait item keeps the visibility of its trait, and a variant that of its enum.
fn own_of(item: &Item) -> Option<Own<'_>> {
    let own = |kind, name, vis| Some(Own { kind, name, is_exported: is_public(vis), is_askable: true });
    match item {
        Item::Const(it) => own("constant", &it.ident, &it.vis),
        Item::Enum(it) => own("enum", &it.ident, &it.vis),
        Item::Fn(it) => own("function", &it.sig.ident, &it.vis),
        Item::Static(it) => own("static", &it.ident, &it.vis),
        Item::Struct(it) => own("struct", &it.ident, &it.vis),
        Item::Trait(it) => own("trait", &it.ident, &it.vis),
        Item::Type(it) => own("type alias", &it.ident, &it.vis),
        Item::Union(it) => own("union", &it.ident, &it.vis),
        Item::Mod(it) => Some(Own {
            kind: "module",
            name: &it.ident,
            is_exported: is_public(&it.vis),
            is_askable: it.content.is_some(),
        }),
        Item::Macro(it) => it.ident.as_ref().map(|name| Own {
            kind: "macro",
            name,
            is_exported: is_exported_macro(it),
            is_askable: true,
        }),
        _ => None,
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        // `main` is called by its name.
        let own = own_of(item).map(|own| Own { is_askable: own.is_askable && own.name != "main", ..own });
        if let Some(own) = own {
            let name = own.name.to_string();
            let is_exported = own.is_exported;
            self.declare(own, item.span().byte_range());
            self.inside(name, |reader| match item {
                Item::Enum(it) => it.variants.iter().for_each(|variant| reader.variant(variant, is_exported)),
                Item::Trait(it) => it.items.iter().for_each(|member| reader.trait_item(member, is_exported)),
                _ => {}
            });
        }
        visit::visit_item(self, item);
        self.close(item.span().byte_range());
    }

    fn visit_file(&mut self, file: &'ast File) {
        visit::visit_file(self, file);
        self.close(0..self.text.len());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if attribute.path().is_ident("cfg") && is_foreign(self.slice(attribute)) {
            self.conditions.push(attribute.span().byte_range().start);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        visit::visit_stmt(self, statement);
        self.close(statement.span().byte_range());
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        visit::visit_impl_item(self, item);
        self.close(item.span().byte_range());
    }

    fn visit_trait_item(&mut self, item: &'ast TraitItem) {
        visit::visit_trait_item(self, item);
        self.close(item.span().byte_range());
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        visit::visit_arm(self, arm);
        self.close(arm.span().byte_range());
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.inside(item.ident.to_string(), |reader| visit::visit_item_enum(reader, item));
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        self.inside(item.ident.to_string(), |reader| visit::visit_item_trait(reader, item));
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.inside(item.sig.ident.to_string(), |reader| visit::visit_trait_item_fn(reader, item));
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let target = self.slice(&*item.self_ty).to_owned();
        let name = match &item.trait_ {
            Some((_, path, _)) => format!("impl {} for {target}", self.slice(path)),
            None => format!("impl {target}"),
        };
        let type_name = type_name(&item.self_ty).unwrap_or(target);
        let whole = item.span().byte_range();
        let unnamed = Ident::new("impl", item.impl_token.span);
        let own = Own { kind: "implementation", name: &unnamed, is_exported: false, is_askable: false };
        let at = item.impl_token.span().byte_range().start;
        self.push(name.clone(), own, at, whole);
        if let Some((_, path, _)) = &item.trait_
            && let Some(last) = path.segments.last()
        {
            let (path, name) = (path.span().byte_range().start, last.ident.span().byte_range().start);
            self.facts.implementations.push(Implementation { at, path, name });
        }
        self.impls.push(type_name);
        self.inside(name, |reader| {
            for member in &item.items {
                reader.impl_item(member, item.trait_.is_none());
            }
            visit::visit_item_impl(reader, item);
        });
        self.impls.pop();
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.inside(item.ident.to_string(), |reader| visit::visit_item_mod(reader, item));
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.inside(item.sig.ident.to_string(), |reader| visit::visit_item_fn(reader, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.inside(item.sig.ident.to_string(), |reader| visit::visit_impl_item_fn(reader, item));
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.inside(item.ident.to_string(), |reader| visit::visit_item_struct(reader, item));
    }

    fn visit_item_union(&mut self, item: &'ast syn::ItemUnion) {
        self.inside(item.ident.to_string(), |reader| visit::visit_item_union(reader, item));
    }

    fn visit_variant(&mut self, variant: &'ast Variant) {
        self.inside(variant.ident.to_string(), |reader| visit::visit_variant(reader, variant));
        self.close(variant.span().byte_range());
    }

    fn visit_field(&mut self, field: &'ast Field) {
        if let Some(name) = &field.ident {
            let own = Own { kind: "field", name, is_exported: is_public(&field.vis), is_askable: true };
            self.declare(own, field.span().byte_range());
        }
        visit::visit_field(self, field);
        self.close(field.span().byte_range());
    }

    fn visit_field_value(&mut self, field: &'ast FieldValue) {
        if let (None, Member::Named(name)) = (&field.colon_token, &field.member) {
            self.facts.shorthands.push(name.span().byte_range().start);
        }
        visit::visit_field_value(self, field);
    }

    fn visit_field_pat(&mut self, field: &'ast FieldPat) {
        if let (None, Member::Named(name)) = (&field.colon_token, &field.member) {
            self.facts.shorthands.push(name.span().byte_range().start);
        }
        visit::visit_field_pat(self, field);
    }

    fn visit_path_segment(&mut self, segment: &'ast PathSegment) {
        if segment.ident == "Self"
            && let Some(of) = self.impls.last()
        {
            self.facts.self_types.push((of.clone(), segment.ident.span().byte_range().start));
        }
        visit::visit_path_segment(self, segment);
    }
}

impl Reader<'_> {
    fn variant(&mut self, variant: &Variant, is_exported: bool) {
        let own = Own { kind: "variant", name: &variant.ident, is_exported, is_askable: true };
        self.declare(own, variant.span().byte_range());
    }

    fn trait_item(&mut self, item: &TraitItem, is_exported: bool) {
        let (kind, name) = match item {
            TraitItem::Fn(it) => ("trait method", &it.sig.ident),
            TraitItem::Const(it) => ("trait constant", &it.ident),
            TraitItem::Type(it) => ("trait type", &it.ident),
            _ => return,
        };
        self.declare(Own { kind, name, is_exported, is_askable: true }, item.span().byte_range());
    }

    fn impl_item(&mut self, item: &ImplItem, is_askable: bool) {
        let (kind, name, vis) = match item {
            ImplItem::Fn(ImplItemFn { sig, vis, .. }) => ("method", &sig.ident, vis),
            ImplItem::Const(ImplItemConst { ident, vis, .. }) => ("associated constant", ident, vis),
            ImplItem::Type(ImplItemType { ident, vis, .. }) => ("associated type", ident, vis),
            _ => return,
        };
        let own = Own { kind, name, is_exported: is_public(vis), is_askable };
        self.declare(own, item.span().byte_range());
    }
}

/// Returns the name of the type that an `impl` block is for, without generics.
fn type_name(target: &syn::Type) -> Option<String> {
    match target {
        syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        syn::Type::Reference(reference) => type_name(&reference.elem),
        _ => None,
    }
}

/// True for a condition with more than features and tests.
fn is_foreign(condition: &str) -> bool {
    let mut outside = String::new();
    let mut is_quoted = false;
    for character in condition.chars() {
        if character == '"' {
            is_quoted = !is_quoted;
        } else if !is_quoted {
            outside.push(character);
        }
    }
    outside
        .split(|character: char| !character.is_alphanumeric() && character != '_')
        .any(|word| !["", "cfg", "feature", "test", "not", "all", "any"].contains(&word))
}
