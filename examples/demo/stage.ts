import type { SocialService } from "postrider";
import type { Sandbox } from "postrider/sandbox";
import type { DemoTime } from "./clock.ts";
import type { World } from "./service.ts";
import type { Wire } from "./wire.ts";

/** What all acts play on. */
export interface Stage {
  world: World;
  time: DemoTime;
  /** The service of the demo's own process. */
  social: SocialService;
  sandbox: Sandbox;
  wire: Wire;
  /** One on each network. */
  profileIds: string[];
}
