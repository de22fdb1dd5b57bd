import type { Clock, SocialService } from "postrider";
import type { Sandbox } from "postrider/sandbox";
import type { DemoTime, Hurry } from "./clock.ts";
import type { World } from "./service.ts";
import type { Wire } from "./wire.ts";

/** What all acts play on. */
export interface Stage {
  world: World;
  time: DemoTime;
  /** The clock of the demo's own process, by that time. */
  clock: Clock;
  hurry: Hurry;
  /** The service of the demo's own process. */
  social: SocialService;
  sandbox: Sandbox;
  wire: Wire;
  /** One on each network. */
  profileIds: string[];
}
