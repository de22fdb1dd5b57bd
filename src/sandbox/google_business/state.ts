import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { randomText } from "../parts/random-text.ts";
import { createBasics } from "../parts/simulation.ts";

/** A person with a Google account. */
export interface Person {
  email: string;
  /** Their own account, `accounts/1`, and the groups that they belong to. */
  accounts: { name: string; type: "PERSONAL" | "LOCATION_GROUP" }[];
}

export interface Location {
  /** `locations/1` */
  name: string;
  title: string;
  /** The accounts that list it. */
  parents: string[];
  isVerified: boolean;
}

export interface Post {
  /** `accounts/1/locations/2/localPosts/3` */
  name: string;
  location: Location;
  content: JsonObject;
  created_at: number;
  /** The review of the post, and its result. */
  job: Job<"REJECTED">;
}

/** Behaviours that can vary. */
export interface Ways {
  /** True: the project may not use v4. */
  isDisabled: boolean;
  /** True: lists begin with the oldest post. */
  oldestFirst: boolean;
  /** The maximum number of posts per page. */
  pageSize: number;
  /** True: line breaks are shown as blanks. */
  joinsLines: boolean;
  /** True: posts have no creation time. */
  hidesTimes: boolean;
}

export type State = ReturnType<typeof createState>;

export function createState(ports: SandboxPorts) {
  const ways: Ways = { isDisabled: false, oldestFirst: false, pageSize: 100, joinsLines: false, hidesTimes: false };
  return {
    ...createBasics(ports),
    people: [] as Person[],
    locations: [] as Location[],
    posts: [] as Post[],
    jobs: createJobs<"REJECTED">(ports.clock),
    ways,
    /** Random digits of this number, the first of them not 0. */
    digits: (length: number): string => randomText(ports, 1, "123456789") + randomText(ports, length - 1, "0123456789"),
  };
}
