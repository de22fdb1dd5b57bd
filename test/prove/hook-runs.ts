import { rsa } from "../../src/networks/shared/hook-forms/rsa.ts";
import { standardWebhooks } from "../../src/networks/shared/hook-forms/standard-webhooks.ts";
import {
  kickEvent,
  openToyHooks,
  publicKeyAnswer,
  rsaKeyPair,
  signedByKey,
  toyApp,
  whopEvent,
} from "../support/toy-hooks.ts";

/** Between two checks of a subscription, and a little. */
const checkMs = 6 * 3_600_000 + 60_000;

/** A network signs with a new key from one moment to the next. Null: its webhooks are taken in. */
export async function replacedPublicKey(): Promise<string | null> {
  const toy = await openToyHooks({ signed: signedByKey, form: rsa });
  for (const text of ["one", "two"]) {
    const { pem, privateKey } = rsaKeyPair();
    toy.script["GET /public-key"] = () => publicKeyAnswer(pem);
    await toy.clock.advance(60_000);
    const { status } = await toy.send(toyApp, kickEvent({ text, privateKey, at: toy.clock.now() }));
    if (status !== 200) return `lost: "${text}", signed with the network's newest key, is answered with ${status}`;
  }
  return null;
}

/** A subscription has a new secret, and what the network had signed with the former one comes in. Null: it is taken in. */
export async function replacedSecret(): Promise<string | null> {
  const secrets = ["ws_1", "ws_2"];
  const subscribe = async () => {
    const secret = secrets.shift();
    return { state: "confirmed", ...(secret !== undefined && { secret }) } as const;
  };
  const toy = await openToyHooks({ signed: { by: "subscription" }, form: standardWebhooks, subscribe });
  await toy.clock.advance(checkMs);
  for (const secret of ["ws_1", "ws_2"]) {
    const sent = whopEvent({ text: `by-${secret}`, secret, at: toy.clock.now() });
    const { status } = await toy.send(toy.inboxId, sent);
    if (status !== 200) return `lost: what is signed with ${secret} is answered with ${status}`;
  }
  return null;
}
