/**
 * A reply as tests read it. Every name in it is one of the contract, so that a renamed field does not compile. That something is
 * there at all (a first item, a value that can be null, the field of one kind among several) is what tests find out by running.
 */
export type Seen<Value> = SeenPart<NonNullable<Value>>

type SeenPart<Value> =
  | Exclude<Value, object>
  | ([Extract<Value, readonly unknown[]>] extends [never]
      ? never
      : SeenList<Seen<Extract<Value, readonly unknown[]>[number]>>)
  | ([Fields<Value>] extends [never]
      ? never
      : { [Name in NameOf<Fields<Value>>]: Seen<Field<Fields<Value>, Name>> })

type Fields<Value> = Exclude<Extract<Value, object>, readonly unknown[]>
type NameOf<Objects> = Objects extends unknown ? keyof Objects : never
type Field<Objects, Name> = Objects extends unknown
  ? Name extends keyof Objects
    ? Objects[Name]
    : never
  : never

interface SeenList<Item> extends Array<Item> {
  0: Item
  1: Item
  2: Item
  3: Item
  4: Item
  5: Item
  at(index: number): Item
  find(wanted: (item: Item, index: number, all: Item[]) => unknown): Item
  filter(wanted: (item: Item, index: number, all: Item[]) => unknown): SeenList<Item>
  slice(start?: number, end?: number): SeenList<Item>
  toReversed(): SeenList<Item>
  toSorted(compare?: (a: Item, b: Item) => number): SeenList<Item>
  map<Made>(make: (item: Item, index: number, all: Item[]) => Made): SeenList<Made>
}
