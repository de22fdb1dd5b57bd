import type { AccountKind } from "../networks/scene.ts";
import { scenes } from "../networks/scenes.ts";

/** A kind of account on a network. */
export interface ProfileKind extends AccountKind {
  threads: boolean;
}

export const profileKinds: readonly ProfileKind[] = scenes.flatMap(({ accounts, threads }) =>
  accounts.map((kind) => ({ ...kind, threads: threads !== null })),
);

export function kindNamed(name: string): ProfileKind {
  const kind = profileKinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`no kind of account is called ${name}`);
  return kind;
}
