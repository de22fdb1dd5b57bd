import { describe, expect, it } from "vitest";
import { failureMessage } from "../../src/webhooks/failure.ts";

const coded = (code: string | number, message = "connect 10.1.2.3:443"): Error =>
  Object.assign(new Error(message), { code });

const brokeOff = "The connection to the receiver broke off.";

describe("the message of a failed request", () => {
  it.each<[string, unknown, string]>([
    ["an error with a code", coded("ECONNREFUSED"), "The receiver refuses connections."],
    [
      "the cause of an error",
      new Error("fetch failed", { cause: coded("ENOTFOUND") }),
      "The receiver's hostname did not resolve.",
    ],
    [
      "an error whose cause is not an error",
      Object.assign(coded("ENOTFOUND"), { cause: "why" }),
      "The receiver's hostname did not resolve.",
    ],
    [
      "the first of several connection errors",
      new AggregateError([coded("ECONNREFUSED"), coded("ENOTFOUND")]),
      "The receiver refuses connections.",
    ],
    [
      "a host that the sandbox lacks",
      new TypeError("fetch failed", { cause: coded("NOT_SIMULATED") }),
      "The sandbox simulates no host with the receiver's name; use sandbox.receivers.url, or allowedHosts.",
    ],
    [
      "the guard's refusal",
      coded("ADDRESS_REFUSED", "address refused: private"),
      "Not sent: address refused: private.",
    ],
    ["an unknown code", coded("EPIPE"), "The connection to the receiver broke off (EPIPE)."],
    ["a code that is a number", coded(20), brokeOff],
    ["no code", new Error("10.1.2.3"), brokeOff],
    ["no connection error at all", new AggregateError([]), brokeOff],
    ["a value with a code that is not an error", { code: "ECONNREFUSED" }, brokeOff],
    ["a string", "10.1.2.3", brokeOff],
    ["nothing", null, brokeOff],
  ])("is derived from %s", (_, error, message) => {
    expect(failureMessage(error)).toBe(message);
  });
});
