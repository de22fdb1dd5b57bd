import type { Sandbox, SandboxNetwork, SandboxRequest } from "postrider/sandbox";

/** A request that a simulated network has just carried out. */
export interface Exchange {
  network: string;
  /** What was asked: `applyWrites`, `POST /api/v1/statuses`. */
  operation: string;
  status: number;
  /** Which parts of the post it made public, from 1; null: it made nothing public. */
  parts: Parts | null;
}

export interface Parts {
  first: number;
  last: number;
}

/** Looks on; the answer is delivered when what it returns is done. */
export type Listener = (exchange: Exchange) => void | Promise<void>;

/** The line between the services and the simulated networks. */
export interface Wire {
  http: typeof fetch;
  /** From now on this one looks on, and nobody else. */
  listen(listener: Listener): void;
  /** From now on parts are counted from 1 again. */
  nextPost(): void;
}

export function tapWire(sandbox: Sandbox): Wire {
  let listener: Listener = () => {};
  let earlier = new Map<string, number>();

  return {
    listen(next) {
      listener = next;
    },
    nextPost() {
      earlier = new Map(sandbox.networks.map(({ network, posts }) => [network, posts().length]));
    },
    async http(input, init) {
      const request = new Request(input, init);
      const { method, headers } = request;
      const bytes = new Uint8Array(await request.clone().arrayBuffer());
      const asked: SandboxRequest = { method, url: new URL(request.url), headers, bytes };
      const simulated = whoAnswers(sandbox, asked);
      if (simulated === undefined) return sandbox.http(request);
      const { network, posts } = simulated;
      const operation = simulated.operation(asked);
      const made = (): number => posts().length - (earlier.get(network) ?? 0);
      const before = made();
      const response = await sandbox.http(request);
      const parts = made() > before ? { first: before + 1, last: made() } : null;
      await listener({ network, operation, status: response.status, parts });
      return response;
    },
  };
}

/** Some networks share a host, and then know which requests are their own. */
function whoAnswers({ networks }: Sandbox, request: SandboxRequest): SandboxNetwork | undefined {
  const serving = networks.filter((each) => each.serves(request.url.hostname));
  return serving.find((each) => each.owns?.(request)) ?? serving[0];
}
