import type { CommitInput } from "../../../src/networks/contract/commit.ts";
import type { Part, PlannedMedia } from "../../../src/networks/contract/plan.ts";
import { google_business } from "../../../src/networks/google_business/index.ts";
import { type GoogleBusinessOptions, options } from "../../../src/networks/google_business/options.ts";
import {
  type GoogleBusinessSandbox,
  googleBusinessSandbox,
  type NewPerson,
  sandboxApp,
} from "../../../src/sandbox/google_business/network.ts";
import { type ConnectedProfile, type NetworkBench, networkBench } from "../../../src/testing/network-bench.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { jpeg } from "../../media/samples.ts";

export type GoogleBusinessBench = NetworkBench<GoogleBusinessSandbox>;

export const app = { client_id: sandboxApp.client_id, client_secret: sandboxApp.client_secret };

export function googleBusinessBench(): GoogleBusinessBench {
  return networkBench({ adapter: google_business({ app }), network: googleBusinessSandbox });
}

export function credentials(bench: GoogleBusinessBench, given: NewPerson = {}): JsonObject {
  const { access_token, refresh_token } = bench.network.addPerson(given);
  return { access_token, refresh_token };
}

export async function connectedBench(): Promise<{ bench: GoogleBusinessBench; connected: ConnectedProfile }> {
  const bench = googleBusinessBench();
  return { bench, connected: await bench.connect(credentials(bench)) };
}

/** As large as Google wants photos at least. */
export function photo(): Uint8Array {
  return jpeg(300, 300, { before: 1 });
}

/** A photo, put where the bench finds it. */
export function photoOn(bench: GoogleBusinessBench): PlannedMedia {
  const bytes = photo();
  const url = "https://media.example/photo.jpg";
  bench.files.set(url, bytes);
  const file = { alt: null, thumbnail_url: null, duration_seconds: null, width: 300, height: 300 };
  return { ...file, url, type: "image", mime_type: "image/jpeg", size_bytes: bytes.length };
}

/** A part whose options have been parsed, as the plan hands them on. */
export function part({ options: given = {}, ...rest }: Partial<Part> = {}): Part<GoogleBusinessOptions> {
  const own = options.parse(given);
  return { text: "Hello", title: null, media: [], link: null, post_type: "post", options: own, ...rest };
}

export function commitInput(
  { bench, connected }: { bench: GoogleBusinessBench; connected: ConnectedProfile },
  given: Pick<CommitInput, "part"> & Partial<CommitInput>,
): CommitInput<GoogleBusinessOptions> {
  return {
    profile: connected.profile,
    secret: connected.secret(),
    index: 0,
    staged: {},
    first: null,
    previous: null,
    key: "",
    created_at: new Date(bench.clock.now()).toISOString(),
    ...given,
  } as CommitInput<GoogleBusinessOptions>;
}
