import type { AccountKind, Scene } from "../networks/scene.ts";
import { scenes } from "../networks/scenes.ts";

/** A kind of account on a network. */
export interface ProfileKind extends AccountKind, Pick<Scene, "needs"> {
  threads: boolean;
}

export const profileKinds: readonly ProfileKind[] = scenes.flatMap(({ accounts, threads, needs }) =>
  accounts.map((kind) => ({ ...kind, threads: threads !== null, ...(needs && { needs }) })),
);

export function kindNamed(name: string): ProfileKind {
  const kind = profileKinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`no kind of account is called ${name}`);
  return kind;
}
