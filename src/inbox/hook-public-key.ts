import type { NetworkAdapter } from "../networks/contract/adapter.ts";
import type { SignedByPublicKey } from "../networks/contract/hooks.ts";
import { createLoginContext } from "../networks/runtime/session.ts";
import { PublishingError } from "../wire/errors.ts";
import { type HookSenders, trusted } from "./hook-secrets.ts";
import type { InboxPorts } from "./ports.ts";

/** How long a key holds without being read again, milliseconds. */
const keptMs = 86_400_000;
/** From one reading to the next, milliseconds: whoever sends wrong signatures causes no more. */
const pauseMs = 60_000;
/** Less than a network waits for the answer to its webhook. */
const hardEndSeconds = 3;

/** What is known of a network's public key, for as long as the process lives. */
interface KnownKey {
  /** In PEM; null: it was never read. */
  pem: string | null;
  /** When `pem` was read, milliseconds of the monotonic clock. */
  readAt: number;
  /** When it was last asked for, in the same unit; null: never. */
  askedAt: number | null;
  /** The network did not tell it when it was last asked. */
  isUnreachable: boolean;
  /** The reading under way, which all who wait share; null: there is none. */
  reading: Promise<void> | null;
}

/** Reads the keys of networks that sign with one of their own, each network's once for all apps. */
export function createPublicKeys(
  ports: Pick<InboxPorts, "session" | "clock" | "logger">,
): (adapter: NetworkAdapter, signed: SignedByPublicKey) => HookSenders["find"] {
  const { clock, logger, session } = ports;
  const keys = new Map<string, KnownKey>();

  async function read(adapter: NetworkAdapter, signed: SignedByPublicKey, known: KnownKey): Promise<void> {
    const { name } = adapter.spec;
    try {
      const asked = { method: "GET", url: signed.url, credential: "none", repeat: false, hardEndSeconds } as const;
      const { body } = await createLoginContext(adapter, session).request(asked);
      const pem = signed.keyIn(body);
      if (pem === null) throw new PublishingError("network_error", `${name} sent no public key.`);
      known.pem = pem;
      known.readAt = clock.monotonic();
      known.isUnreachable = false;
    } catch (error) {
      known.isUnreachable = true;
      logger.warn(`the public key of ${name} could not be read; its webhooks are refused until then`, {
        error: String(error),
      });
    }
  }

  async function renew(adapter: NetworkAdapter, signed: SignedByPublicKey, known: KnownKey): Promise<void> {
    const now = clock.monotonic();
    if (known.reading === null && (known.askedAt === null || now - known.askedAt >= pauseMs)) {
      known.askedAt = now;
      known.reading = read(adapter, signed, known).finally(() => {
        known.reading = null;
      });
    }
    await known.reading;
  }

  return (adapter, signed) => {
    const known = keys.get(signed.url) ?? firstKey();
    keys.set(signed.url, known);
    const held = (): string | null => (clock.monotonic() - known.readAt < keptMs ? known.pem : null);
    return async ({ isSignedWith }) => {
      const before = held();
      if (before !== null && isSignedWith(before)) return trusted(before);
      await renew(adapter, signed, known);
      const pem = held();
      if (pem !== null && pem !== before && isSignedWith(pem)) return trusted(pem);
      // The network may have another key by now.
      return pem === null || known.isUnreachable ? "later" : null;
    };
  };
}

function firstKey(): KnownKey {
  return { pem: null, readAt: 0, askedAt: null, isUnreachable: false, reading: null };
}
