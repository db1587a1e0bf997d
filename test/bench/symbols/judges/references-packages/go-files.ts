/** A package in Go whose references are marked. */
export const goFiles = {
  'go.mod': 'module example.com/shop\n\ngo 1.21\n',
  'shop.go': `package shop

import "fmt"

func total(n int) int { return n }

type Basket struct {
	size int
	Tags []string
}

type Named struct{ Basket } // @Basket

func (b *Basket) Count() int { // @Basket
	return b.size // @size
}

func use() {
	b := Basket{size: 1} // @Basket @size
	fmt.Println(total(b.size), "total") // @total @size
	total := 2
	fmt.Println(total)
	var n Named
	fmt.Println(n.size) // @size
}

func max(a, b int) int { return a + b }

func most() int { return max(1, 2) } // @max
`,
  'shop_windows.go': 'package shop\n\nvar onWindows = total(1) // @total\n',
  'shop_test.go': `package shop

import "testing"

func TestTotal(t *testing.T) {
	if total(1) != 1 { // @total
		t.Fatal()
	}
}
`,
  'outer_test.go': `package shop_test

import "example.com/shop"

var basket = shop.Basket{} // @Basket
`,
};
