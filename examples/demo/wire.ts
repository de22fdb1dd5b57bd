import type { Sandbox, SandboxNetwork } from "postrider/sandbox";

/** A request that a simulated network has just carried out. */
export interface Exchange {
  network: string;
  /** What was asked: `createRecord`, `POST /api/v1/statuses`. */
  operation: string;
  status: number;
  /** It made something public, which makes this the network's n-th since `listen`; null: it did not. */
  part: number | null;
}

/** Looks on; the answer is delivered when what it returns is done. */
export type Listener = (exchange: Exchange) => void | Promise<void>;

/** The line between the services and the simulated networks. */
export interface Wire {
  http: typeof fetch;
  /** From now on this one looks on, and nobody else. */
  listen(listener: Listener): void;
}

export function tapWire(sandbox: Sandbox): Wire {
  const networks: SandboxNetwork[] = [sandbox.bluesky, sandbox.mastodon, sandbox.discord];
  let listener: Listener = () => {};
  let parts = new Map<string, number>();

  return {
    listen(next) {
      listener = next;
      parts = new Map();
    },
    async http(input, init) {
      const request = new Request(input, init);
      const url = new URL(request.url);
      const network = networks.find((each) => each.serves(url.hostname));
      const response = await sandbox.http(request);
      if (network === undefined) return response;
      const name = network.network;
      const operation = network.operation({ method: request.method, url, headers: request.headers, bytes: new Uint8Array() });
      const isPublic = response.ok && network.commits.includes(operation);
      if (isPublic) parts.set(name, (parts.get(name) ?? 0) + 1);
      await listener({ network: name, operation, status: response.status, part: isPublic ? (parts.get(name) ?? 0) : null });
      return response;
    },
  };
}
