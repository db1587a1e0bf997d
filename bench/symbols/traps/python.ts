import type { TrapWorkspace } from '../model.ts';

/** Traps of Python: one package per difficulty. */
export const pythonTraps: TrapWorkspace = {
  files: {
    'overloads/__init__.py': '',
    'overloads/parse.py': `from typing import overload


@overload
def parse(text: str) -> int: ...  # !parse
@overload
def parse(text: int) -> int: ...  # ?parse
def parse(text):  # ?parse
    return int(text)


class Reader:
    def parse(self, text):
        return parse(text) + self.parse("")  # @parse


both = parse("1") + parse(2)  # @parse
`,

    'equal/__init__.py': '',
    'equal/first.py': `def price():  # !equal
    return 1


double = 2 * price()  # @equal
`,
    'equal/second.py': `def price():
    return 2


double = 2 * price()
`,
    'equal/use.py': `from . import first, second
from .first import price  # @equal
from .second import price as other

total = (
    price()  # @equal
    + first.price()  # @equal
    + second.price()
    + other()
)
`,

    'reexports/__init__.py': `from .impl import Basket  # @reexport
from .impl import Basket as Cart  # @reexport

__all__ = ["Basket", "Cart"]  # ?reexport
`,
    'reexports/impl.py': `class Basket:  # !reexport
    pass
`,
    'reexports/use.py': `import reexports
import reexports.impl as implementation
from reexports import *

one = reexports.Basket()  # @reexport
two = reexports.Cart()  # ?reexport
three = implementation.Basket()  # @reexport
four = Basket()  # @reexport
`,

    'generics/__init__.py': '',
    'generics/items.py': `from typing import Generic, TypeVar

T = TypeVar("T")


class Items(Generic[T]):
    def __init__(self) -> None:
        self.items: list[T] = []

    def push(self, item: T) -> "Items[T]":  # !generic
        self.items.append(item)
        return self


numbers = Items[int]().push(1).push(2)  # @generic
names: Items[str] = Items()
names.push("a")  # @generic
push = names.push  # @generic
push("b")
`,

    'dispatch/__init__.py': '',
    'dispatch/store.py': `from abc import ABC, abstractmethod


class Store(ABC):  # !dispatch
    @abstractmethod
    def save(self, key): ...  # !dispatch-method


class Memory(Store):  # @dispatch
    def save(self, key):  # @dispatch-method
        return key


class Cached(Memory):  # @dispatch
    def save(self, key):  # @dispatch-method
        return key


class Unrelated:
    def save(self, key):
        return key
`,
    'dispatch/http.py': `from . import store


class Http(store.Store):  # @dispatch
    def save(self, key):  # @dispatch-method
        return None
`,

    'conditional/__init__.py': '',
    'conditional/limits.py': `import sys


def limit():  # !conditional
    return 1


if sys.platform == "win32":

    def on_windows():
        return limit()  # @conditional

else:

    def elsewhere():
        return limit()  # @conditional


if sys.version_info < (3, 0):
    old = limit()  # @conditional
`,

    'generated/__init__.py': '',
    'generated/model.py': `class Model:  # !generated
    pass
`,
    'generated/model_pb2.py': `# Generated for a trap. DO NOT EDIT!
from generated.model import Model  # @generated

DEFAULT = Model()  # @generated
`,

    'crlf/__init__.py': '',
    'crlf/text.py':
      'smile = "𝒳"\r\n\r\n\r\ndef trim(text):  # !crlf\r\n    return text\r\n\r\n\r\na = "𝒳" + trim("ä")  # @crlf\r\n',
    'crlf/bom.py': '\uFEFFfrom crlf.text import trim  # @crlf\n\nb = trim("b") + trim("c")  # @crlf\n',

    'shadowed/__init__.py': '',
    'shadowed/total.py': `def total():  # !shadowed
    return 1


def count(total):
    return total


def every():
    first = total()  # @shadowed
    rest = [total for total in range(3)]
    return first, rest


class Bill:
    total = 3

    def pay(self):
        return total() + self.total  # @shadowed
`,

    'changed/__init__.py': '',
    'changed/counts.py': `def count():  # !changed
    return 1
`,
    'changed/use.py': `from changed.counts import count  # @changed

one = count()  # @changed
`,

    'broken/__init__.py': '',
    'broken/parts.py': 'def part(n):\n    return n\n',
    'broken/use.py': 'from broken.parts import part  # !broken-use\n\nwhole = part(1)\n',

    'killed/__init__.py': '',
    'killed/used.py': `def used():  # !killed
    return 1


user = used()  # @killed
`,
    'killed/other.py': `from killed.used import used  # @killed

other = used() + used()  # @killed
`,
  },
  traps: [
    { name: 'overloads', asks: 'references', mark: 'parse', namePath: 'parse' },
    { name: 'equal names in two modules', asks: 'references', mark: 'equal', namePath: 'price' },
    { name: 're-exports', asks: 'references', mark: 'reexport', namePath: 'Basket' },
    { name: 'method of a generic type', asks: 'references', mark: 'generic', namePath: 'Items/push' },
    { name: 'interface dispatch', asks: 'implementations', mark: 'dispatch', namePath: 'Store' },
    { name: 'method of an abstract class', asks: 'implementations', mark: 'dispatch-method', namePath: 'Store/save' },
    { name: 'conditional code', asks: 'references', mark: 'conditional', namePath: 'limit' },
    { name: 'generated file', asks: 'references', mark: 'generated', namePath: 'Model' },
    { name: 'CRLF, BOM and characters outside the BMP', asks: 'references', mark: 'crlf', namePath: 'trim' },
    { name: 'shadowed name', asks: 'references', mark: 'shadowed', namePath: 'total' },
    {
      name: 'file changed between two calls',
      asks: 'references',
      mark: 'changed',
      namePath: 'count',
      rewritten: {
        'changed/use.py':
          'from changed.counts import count  # @changed\n\n# A further line.\ntwo = count() + 1  # @changed\n\nthree = count()  # @changed\n',
      },
    },
    {
      name: 'declaration moved between two calls',
      asks: 'references',
      mark: 'changed',
      namePath: 'count',
      rewritten: { 'changed/counts.py': 'before = 0\n\n\ndef count():  # !changed\n    return before\n' },
    },
    {
      name: 'error in another file than the changed one',
      asks: 'diagnostics',
      mark: 'broken-use',
      rewritten: {
        'broken/parts.py': 'def part(n, further):\n    return n\n',
        'broken/use.py': 'from broken.parts import part  # !broken-use\n\nwhole = part(1)  # @broken-use\n',
      },
    },
    { name: 'server killed during the call', asks: 'references', mark: 'killed', namePath: 'used', killsServer: true },
  ],
};
