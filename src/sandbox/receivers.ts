import type { SandboxAnswer, SandboxRequest } from "./exchange.ts";
import { createFaults, type Faults } from "./faults.ts";
import type { SandboxHost, SandboxPorts } from "./network.ts";

/** The host of the sandbox's webhook receivers: `https://receiver.sandbox.example/<name>`. */
export const receiverHost = "receiver.sandbox.example";

/** A delivery that a simulated receiver has accepted. */
export interface ReceivedDelivery {
  /** The receiver's name. */
  receiver: string;
  /** `Service-Delivery`: the same for a repeated delivery. */
  id: string;
  /** `Service-Event`. */
  event: string;
  /** `Service-Webhook-Id`. */
  webhook_id: string;
  /** `Service-Signature`. */
  signature: string;
  /** The body, unchanged. */
  body: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** Webhook receivers: any number, by name. A failure script names one as its `operation`. */
export interface ReceiverSandbox extends SandboxHost {
  /** The URL of a receiver. */
  url(name: string): string;
  /** The accepted deliveries, in order. */
  deliveries(name?: string): ReceivedDelivery[];
  faults: Faults;
}

const demanded = ["service-event", "service-delivery", "service-webhook-id", "service-signature"] as const;

export function receiverSandbox({ clock }: SandboxPorts): ReceiverSandbox {
  const taken: ReceivedDelivery[] = [];
  const nameOf = ({ url }: SandboxRequest): string => decodeURIComponent(url.pathname.slice(1));

  function refusalOf({ method, headers }: SandboxRequest): string | null {
    if (method !== "POST") return "not a POST";
    if (headers.get("content-type") !== "application/json") return "not application/json";
    if (!headers.get("user-agent")?.startsWith("postrider/")) return "from somebody else";
    const missing = demanded.find((name) => !headers.has(name));
    return missing === undefined ? null : `without ${missing}`;
  }

  return {
    url: (name) => `https://${receiverHost}/${encodeURIComponent(name)}`,
    deliveries: (name) => taken.filter(({ receiver }) => name === undefined || receiver === name),
    serves: (host) => host === receiverHost,
    operation: nameOf,
    commits: [],
    faults: createFaults(),
    answer(request): SandboxAnswer {
      const refusal = refusalOf(request);
      if (refusal !== null) return { status: 400, text: refusal };
      const [event = "", id = "", webhook_id = "", signature = ""] = demanded.map(
        (name) => request.headers.get(name) ?? "",
      );
      const body = new TextDecoder().decode(request.bytes);
      taken.push({ receiver: nameOf(request), id, event, webhook_id, signature, body, at: clock.now() });
      return { status: 200, text: "taken" };
    },
  };
}
