/** A package in C++ whose references are marked. */
export const cppFiles = {
  'compile_commands.json': JSON.stringify(
    ['shop.cpp', 'app.cpp'].map((file) => ({ directory: '.', file, arguments: ['g++', '-std=c++17', '-c', file] })),
  ),
  'shop.h': `#pragma once
#define SIZE_OF(basket) ((basket).size) // @size
#define AT_LEAST(n) ((n) > 0)
namespace shop {
int total(int n);
int total(const char *text);

class Item {
 public:
  virtual ~Item() = default;
  virtual int price() const { return 1; }
};

class Basket : public Item {
 public:
  explicit Basket(int first);
  int count() const;
  int price() const override { return AT_LEAST(count()); } // @count @AT_LEAST
  int size;
};

template <class T>
int both(const T &one, const T &other) {
  return one.count() + other.count(); // @count
}
}  // namespace shop
`,
  'shop.cpp': `#include "shop.h"
namespace shop {
int total(int n) { return n; }
int total(const char *text) { return text == nullptr ? 0 : total(2); } // @total
Basket::Basket(int first) : size(first) {} // @Basket @size
int Basket::count() const { return size; } // @Basket @size
}  // namespace shop
`,
  'app.cpp': `#include "shop.h"
using shop::total;
struct Own { int size; };
int main() {
  shop::Basket basket(total(1)); // @Basket @total
  Own own{total("total")};
  const shop::Item &item = basket;
  return both(basket, basket) + SIZE_OF(basket) + own.size + item.price(); // @both @price
}
`,
};
