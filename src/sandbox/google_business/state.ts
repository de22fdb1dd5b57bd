import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job } from "../parts/jobs.ts";
import { randomText } from "../parts/random-text.ts";
import { createBasics } from "../parts/simulation.ts";

/** Somebody with a Google account. */
export interface Person {
  email: string;
  /** Their own account, `accounts/1`, and groups that they belong to. */
  accounts: { name: string; type: "PERSONAL" | "LOCATION_GROUP" }[];
}

export interface Location {
  /** `locations/1` */
  name: string;
  title: string;
  /** The accounts under which it is listed. */
  parents: string[];
  isVerified: boolean;
}

export interface Post {
  /** `accounts/1/locations/2/localPosts/3` */
  name: string;
  location: Location;
  content: JsonObject;
  created_at: number;
  /** How the look at it ends. */
  job: Job<"REJECTED">;
}

/** In what it is not always the same. */
export interface Ways {
  /** The project may not use v4. */
  isDisabled: boolean;
  /** Lists begin with the oldest post. */
  oldestFirst: boolean;
  /** Posts on a page, at most. */
  pageSize: number;
  /** Line breaks are shown as blanks. */
  joinsLines: boolean;
  /** Posts do not tell when they were made. */
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
    /** That many, the first of them no zero. */
    digits: (length: number): string => randomText(ports, 1, "123456789") + randomText(ports, length - 1, "0123456789"),
  };
}
