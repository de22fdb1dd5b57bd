import type { SandboxHost } from "../../src/sandbox/network.ts";
import type { ConnectedProfile, NetworkBench } from "../../src/testing/network-bench.ts";
import type { JsonObject } from "../../src/wire/json.ts";

/** A bench with any network. */
export type AnyBench = NetworkBench<SandboxHost>;

/** A bench, and a connected account of its network. */
export interface Desk<Bench extends AnyBench = AnyBench> {
  bench: Bench;
  connected: ConnectedProfile;
}

/** The account that existing credentials connect. */
export function logIn({ adapter, login, run }: AnyBench, credentials: JsonObject) {
  return run(() => adapter.connect.login(login, credentials));
}

/** Checks the account again, and renews its credentials if they have expired. */
export function inspect({ bench, connected }: Desk) {
  return bench.run(() => bench.adapter.connect.inspect(connected.context));
}

/** New credentials, which the desk does not store. */
export function renew({ bench, connected }: Desk) {
  return bench.run(async () => bench.adapter.connect.refresh?.(connected.context));
}

/** Revokes credentials at the network, like a disconnect. @param secret replaces the account's own */
export function revoke({ bench, connected }: Desk, secret: JsonObject = connected.secret()) {
  const { context, profile } = connected;
  return bench.run(async () =>
    bench.adapter.connect.revoke?.({ ...context, secret, profile, request: context.request }),
  );
}

/** The error that the work fails with; undefined: it succeeds. */
export function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}
