import { hostOf } from "../../src/sandbox/dispatch.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";

/** Looks at the requests that make something public, on their way between processes and simulated networks. */
export interface CommitWatch {
  /** One process's line, looked at. */
  between(http: typeof fetch, process: { isDead(): boolean }): typeof fetch;
  /** How many commits began while another one of a living process was still under way on the same network. */
  overlaps(): number;
  /** True when a process that lives was told by this operation that it is done. */
  wasHeard(operation: string): boolean;
}

export function createCommitWatch(sandbox: Sandbox): CommitWatch {
  const underWay = new Set<{ operation: string; process: { isDead(): boolean } }>();
  let overlaps = 0;
  const heard: { operation: string; process: { isDead(): boolean } }[] = [];

  return {
    between: (http, process) => async (input, init) => {
      const request = new Request(input, init);
      const operation = commitOf(sandbox, request);
      if (operation === null) return http(request);
      const isTaken = [...underWay].some((each) => each.operation === operation && !each.process.isDead());
      if (isTaken) overlaps += 1;
      const call = { operation, process };
      underWay.add(call);
      const end = (): void => void underWay.delete(call);
      request.signal.addEventListener("abort", end, { once: true });
      try {
        const response = await http(request);
        if (response.ok && !request.signal.aborted) heard.push(call);
        return response;
      } finally {
        end();
      }
    },
    overlaps: () => overlaps,
    wasHeard: (operation) => heard.some((call) => call.operation === operation && !call.process.isDead()),
  };
}

/** The operation of a request that makes something public; null for any other. */
export function commitOf(
  { networks }: Pick<Sandbox, "networks">,
  { method, url: address, headers }: Pick<Request, "method" | "url" | "headers">,
): string | null {
  const request = { method, url: new URL(address), headers, bytes: new Uint8Array() };
  const network = hostOf(networks, request);
  const operation = network?.operation(request) ?? "";
  return network?.commits.includes(operation) === true ? operation : null;
}
