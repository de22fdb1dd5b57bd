/** The found item. @throws Error if there is none: the test named something that does not exist */
export function known<Item>(found: Item | null | undefined, name: string): Item {
  if (found == null) throw new Error(`The sandbox has no ${name}.`);
  return found;
}

/** The item with this id. @throws Error if there is none */
export function withId<Item extends { id: string }>(items: readonly Item[], id: string, name: string): Item {
  const found = items.find((each) => each.id === id);
  return known(found, `${name} ${id}`);
}

/** Removes the item with this id from the list. @throws Error if there is none */
export function takeOut<Item extends { id: string }>(items: Item[], id: string, name: string): Item {
  const item = withId(items, id, name);
  items.splice(items.indexOf(item), 1);
  return item;
}
