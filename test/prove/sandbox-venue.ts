import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { png } from "../media/samples.ts";
import { scenes } from "../networks/scenes.ts";
import { commitOf } from "../support/commit-watch.ts";
import { type FaultShares, spoil } from "./arena-faults.ts";
import type { Random } from "./random.ts";
import type { OpenVenue, VenueAccount, VenueReceiver } from "./venue.ts";

export interface SandboxVenueOptions {
  /** Of each kind that can be asked. */
  accounts: number;
  /** And one of each kind of which nobody can tell what is on it. @default true */
  withUnaskable?: boolean;
  faults: FaultShares;
  random: Random;
}

/** The simulated networks, which lose, delay and garble answers. */
export function sandboxVenue(options: SandboxVenueOptions): OpenVenue {
  return async (clock) => {
    const sandbox = createSandbox({ clock });
    return {
      http: sandbox.http,
      isCommit: (request) => commitOf(sandbox, request) !== null,
      accounts: addAccounts(sandbox, options.accounts, options.withUnaskable !== false),
      receiver: receiverIn(sandbox),
      picture: sandbox.media.put("picture.png", png(8, 8), { contentType: "image/png" }),
      spoil: () => spoil(sandbox, options.random, options.faults),
      close: async () => undefined,
    };
  };
}

export function receiverIn({ receivers }: Sandbox): VenueReceiver {
  return { url: receivers.url("proof"), taken: () => receivers.deliveries("proof") };
}

/** `count` accounts of each kind that can be asked, and one of each other. */
function addAccounts(sandbox: Sandbox, count: number, withOthers: boolean): VenueAccount[] {
  return scenes.flatMap((scene) =>
    scene.accounts.flatMap((kind) => {
      if (kind.addServer !== undefined || (!kind.canBeAsked && !withOthers)) return [];
      kind.prepare?.(sandbox);
      const numbers = Array.from({ length: kind.canBeAsked ? count : 1 }, (_, index) => index + 1);
      return numbers.map((number) => ({
        name: `${kind.name} ${number}`,
        connection: kind.connect(sandbox, `alice${number}`),
        posts: async () => sandbox[scene.network].posts(),
        threads: scene.threads !== null,
        needs: scene.needs?.(sandbox),
        canBeAsked: kind.canBeAsked,
      }));
    }),
  );
}
