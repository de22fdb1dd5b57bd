/** What was looked for. @throws Error when it is not there: a test has named what nobody made */
export function known<Item>(found: Item | null | undefined, name: string): Item {
  if (found == null) throw new Error(`The sandbox has no ${name}.`);
  return found;
}

/** The one of this id. @throws Error when it is not there */
export function withId<Item extends { id: string }>(items: readonly Item[], id: string, name: string): Item {
  const found = items.find((each) => each.id === id);
  return known(found, `${name} ${id}`);
}

/** Takes the one of this id out of the list. @throws Error when it is not there */
export function takeOut<Item extends { id: string }>(items: Item[], id: string, name: string): Item {
  const item = withId(items, id, name);
  items.splice(items.indexOf(item), 1);
  return item;
}
