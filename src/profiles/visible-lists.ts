import type { ProfileState } from "./rows.ts";

/** What a list has shown once it is taken to show for this long, milliseconds. */
export const trustMs = 30 * 24 * 3_600_000;
/** Lists of one profile that are remembered; a server that changes its version with every answer fills no row. */
const maxLists = 100;

type VisibleLists = NonNullable<ProfileState["visible_lists"]>;

/** Those that count still. */
export function freshLists({ visible_lists = {} }: Pick<ProfileState, "visible_lists">, now: number): VisibleLists {
  return Object.fromEntries(Object.entries(visible_lists).filter(([, at]) => at > now - trustMs));
}

/** These have just shown such posts. */
export function withVisible(
  state: Pick<ProfileState, "visible_lists">,
  names: readonly string[],
  now: number,
): VisibleLists {
  const before = Object.entries(freshLists(state, now)).filter(([name]) => !names.includes(name));
  const all = [...before, ...names.map((name): [string, number] => [name, now])];
  return Object.fromEntries(all.slice(-maxLists));
}
