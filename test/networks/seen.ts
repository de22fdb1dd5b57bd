import type { SeenRequest } from "../../src/testing/network-bench.ts";
import type { Json } from "../../src/wire/json.ts";
import type { AnyBench } from "./desk.ts";

/** The requests of these operations that have reached the network, in order. */
export function seenOf({ seen }: Pick<AnyBench, "seen">, ...operations: string[]): SeenRequest[] {
  return seen.filter(({ operation }) => operations.includes(operation));
}

/** The fields of a body that is a form. */
export function formOf(request: SeenRequest | undefined): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(textOf(request)));
}

/** A body of JSON. */
export function jsonOf(request: SeenRequest | undefined): Json {
  return JSON.parse(textOf(request)) as Json;
}

function textOf(request: SeenRequest | undefined): string {
  return new TextDecoder().decode(request?.bytes);
}
