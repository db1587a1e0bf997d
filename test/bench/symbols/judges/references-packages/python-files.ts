/** A package in Python whose references are marked. */
export const pythonFiles = {
  'shop/__init__.py': 'from .impl import total  # @total\n',
  'shop/impl.py': `def total(n):
    return n


class Basket:
    def count(self):
        return total(1)  # @total

    def total(self):
        return total(2)  # @total


class Bag:
    total = staticmethod(total)  # @total
    doubled = total


def twice(total):
    return total + total


if True:
    def either():
        pass
else:
    def either():
        pass
`,
  'app.py': `import shop
import shop.impl as implementation
from shop import total as sum_of  # @total
from shop.impl import Basket  # @Basket

print(shop.total(1), "total")  # @total
print(implementation.total(2))  # @total
print(sum_of(3))


def late() -> Basket:  # @Basket
    from shop import total  # @total

    return total(4)  # @total
`,
};
