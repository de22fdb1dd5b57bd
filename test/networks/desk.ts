import type { SandboxHost } from "../../src/sandbox/network.ts";
import type { ConnectedProfile, NetworkBench } from "../../src/testing/network-bench.ts";
import type { JsonObject } from "../../src/wire/json.ts";

/** A bench with whatever network. */
export type AnyBench = NetworkBench<SandboxHost>;

/** A bench, and an account of its network that is connected. */
export interface Desk<Bench extends AnyBench = AnyBench> {
  bench: Bench;
  connected: ConnectedProfile;
}

/** What credentials that are there already connect. */
export function logIn({ adapter, login, run }: AnyBench, credentials: JsonObject) {
  return run(() => adapter.connect.login(login, credentials));
}

/** Looks at the account again, and renews its credentials where they have run out. */
export function inspect({ bench, connected }: Desk) {
  return bench.run(() => bench.adapter.connect.inspect(connected.context));
}

/** New credentials, which the desk does not take over. */
export function renew({ bench, connected }: Desk) {
  return bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
}

/** Gives credentials back to the network, as whoever disconnects the account does. @param secret other ones than the account's */
export function revoke({ bench, connected }: Desk, secret: JsonObject = connected.secret()) {
  const { context, profile } = connected;
  return bench.run(async () =>
    bench.adapter.connect.revoke?.({ ...context, secret, profile, request: context.request }),
  );
}

/** What work fails with; undefined: it does not. */
export function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}
