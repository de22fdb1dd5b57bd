import type { ProfileState } from "./rows.ts";

/** How long a list that has shown posts of a kind is trusted to show them, milliseconds. */
export const trustMs = 30 * 24 * 3_600_000;
/** Maximum number of lists per profile, in case a server changes its version with every response. */
const maxLists = 100;

type VisibleLists = NonNullable<ProfileState["visible_lists"]>;

/** The lists that are still trusted. */
export function freshLists({ visible_lists = {} }: Pick<ProfileState, "visible_lists">, now: number): VisibleLists {
  return Object.fromEntries(Object.entries(visible_lists).filter(([, at]) => at > now - trustMs));
}

/** Adds lists that have just shown a part of the service. */
export function withVisible(
  state: Pick<ProfileState, "visible_lists">,
  names: readonly string[],
  now: number,
): VisibleLists {
  const before = Object.entries(freshLists(state, now)).filter(([name]) => !names.includes(name));
  const all = [...before, ...names.map((name): [string, number] => [name, now])];
  return Object.fromEntries(all.slice(-maxLists));
}
