import type { JsonObject } from "../../wire/json.ts";
import type { SandboxPorts } from "../network.ts";
import { createJobs, type Job, type Jobs } from "../parts/jobs.ts";
import { createLag, type Lag } from "../parts/listing.ts";
import type { LoginApp } from "../parts/login-pages.ts";
import { createQuota, type Quota } from "../parts/quota.ts";

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
  isDeleted: boolean;
}

export interface State {
  apps: LoginApp[];
  people: Person[];
  locations: Location[];
  posts: Post[];
  lag: Lag;
  /** Whatever publishes is refused. */
  quota: Quota;
  jobs: Jobs<"REJECTED">;
  ways: Ways;
  now(): number;
  /** That many digits, the first of them no zero. */
  digits(length: number): string;
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

export function createState({ clock, random }: SandboxPorts): State {
  return {
    apps: [],
    people: [],
    locations: [],
    posts: [],
    lag: createLag(clock),
    quota: createQuota(clock),
    jobs: createJobs(clock),
    ways: { isDisabled: false, oldestFirst: false, pageSize: 100, joinsLines: false, hidesTimes: false },
    now: () => clock.now(),
    digits: (length) =>
      Array.from({ length }, (_, index) => Math.floor(random() * (index === 0 ? 9 : 10)) + (index === 0 ? 1 : 0)).join(
        "",
      ),
  };
}
