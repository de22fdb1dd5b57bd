import type { AccountKind, Scene } from "../networks/scene.ts";
import { scenes } from "../networks/scenes.ts";
import type { CrashNetwork } from "./crash.ts";

/** Every network, in each of its ways. */
export const crashNetworks: readonly CrashNetwork[] = scenes.flatMap((scene) => [
  ...scene.accounts.filter(({ addServer }) => addServer === undefined).map((kind) => crashNetwork(scene, kind)),
  ...(scene.settings ?? []).map((kind) => ({
    ...crashNetwork(scene, kind),
    isVariant: true,
    adapter: kind.adapter,
    needs: kind.needs,
  })),
]);

/** A network in the way of one of its accounts. */
export function crashNetwork(scene: Scene, kind: AccountKind): CrashNetwork {
  const { name, commit, read, canBeAsked, isVariant = false } = kind;
  const renew = kind.renew ?? scene.operations.renew;
  return {
    ...(renew === undefined ? {} : { renew }),
    name,
    scene,
    commit,
    read,
    canBeAsked,
    isVariant,
    threads: scene.threads !== null,
    connect(sandbox) {
      kind.prepare?.(sandbox);
      return kind.connect(sandbox, "alice");
    },
    posts: (sandbox) => sandbox[scene.network].posts(),
    faults: (sandbox) => sandbox[scene.network].faults,
    lagReads: (sandbox, seconds) => sandbox[scene.network].lagReads(seconds),
  };
}
