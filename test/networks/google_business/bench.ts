import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { google_business } from "../../../src/networks/google_business/index.ts";
import { type GoogleBusinessOptions, options } from "../../../src/networks/google_business/options.ts";
import {
  type GoogleBusinessSandbox,
  googleBusinessSandbox,
  type NewPerson,
  sandboxApp,
} from "../../../src/sandbox/google_business/network.ts";
import { type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { jpeg } from "../../media/samples.ts";
import type { Desk } from "../desk.ts";
import { partOf, putFile } from "../parts.ts";

export type GoogleBusinessBench = NetworkBench<GoogleBusinessSandbox>;

export const app = { client_id: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

export function googleBusinessBench(): GoogleBusinessBench {
  return networkBench({ adapter: google_business({ app }), network: googleBusinessSandbox });
}

export function credentials(bench: GoogleBusinessBench, given: NewPerson = {}): JsonObject {
  const { access_token, refresh_token } = bench.network.addPerson(given);
  return { access_token, refresh_token };
}

export async function connectedBench(): Promise<Desk<GoogleBusinessBench>> {
  const bench = googleBusinessBench();
  return { bench, connected: await bench.connect(credentials(bench)) };
}

/** The smallest photo that Google accepts. */
export function photo(): Uint8Array {
  return jpeg(300, 300, { before: 1 });
}

/** A photo, put where the bench finds it. */
export function photoOn(bench: GoogleBusinessBench): PlannedMedia {
  const bytes = photo();
  const facts = { mime_type: "image/jpeg", size_bytes: bytes.length, width: 300, height: 300 };
  return putFile(bench, { name: "photo.jpg", bytes }, facts);
}

/** A part with parsed options, as the plan passes it on. */
export function part(given: Partial<Part> = {}): Part<GoogleBusinessOptions> {
  return partOf(options, given);
}
