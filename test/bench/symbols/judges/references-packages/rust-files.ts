/** A package in Rust whose references are marked. */
export const rustFiles = {
  'Cargo.toml':
    '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n\n[features]\ndefault = ["extra"]\nextra = []\n',
  'src/lib.rs': `//! total
mod basket;
#[cfg(feature = "extra")]
pub mod extra;

pub use basket::{Basket, Sized}; // @Basket

/// Call \`total\`.
pub fn total(n: usize) -> usize {
    if n > 9 { total(n - 1) } else { n } // @total
}

#[cfg(feature = "extra")]
pub fn limit() -> usize { 1 }

#[cfg(not(feature = "extra"))]
pub fn limit() -> usize { total(2) } // @total

#[cfg(windows)]
pub fn on_windows() -> usize { total(3) }
`,
  'src/basket.rs': `use std::ops::Deref;

macro_rules! count {
    ($basket:expr) => { $basket.items.len() + crate::total(1) }; // @items @total
}

pub struct Basket {
    pub items: Vec<u8>,
}

pub trait Sized {
    fn size(&self) -> usize;
}

impl Deref for Basket { // @Basket
    type Target = Vec<u8>;
    fn deref(&self) -> &Vec<u8> { &self.items } // @items
}

impl Basket { // @Basket
    pub fn new(items: Vec<u8>) -> Self {
        Basket { items } // @Basket @items
    }

    pub fn len(&self) -> usize {
        let Basket { items } = self; // @Basket @items
        items.len() + count!(self)
    }
}

impl Sized for Basket { // @Basket
    fn size(&self) -> usize { self.len() } // @len
}
`,
  'src/extra.rs': `use crate::{total as sum, Basket}; // @total @Basket
use crate::Sized;

pub fn all(basket: &Basket) -> String { // @Basket
    let total = sum(4);
    format!("{total} {}", basket.size() + basket.items.len() + basket.len()) // @size @items @len
}
`,
  'tests/basket.rs': `use shop::{total, Basket, Sized}; // @total @Basket

#[test]
fn totals() {
    assert_eq!(total(Basket::new(vec![1]).size()), 1); // @total @Basket @size
}
`,
};
