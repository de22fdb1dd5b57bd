import type { TargetPlan } from "../../src/planning/schema.ts";
import type { CreatePost } from "../../src/posts/schema.ts";
import type { ConnectProfile, Profile } from "../../src/profiles/schema.ts";
import type { Post } from "../../src/publishing/schema.ts";
import { connectFirst } from "../support/connect.ts";
import { createTestService, type TestService } from "../support/service.ts";
import type { Scene } from "./scene.ts";

/** A service with a connected account. */
export interface ConnectedService extends TestService {
  profile: Profile;
}

/** With an account of the network's first kind. */
export async function connectedService(
  scene: Scene,
  options: Parameters<typeof createTestService>[0] = {},
): Promise<ConnectedService> {
  const service = createTestService(options);
  return { ...service, profile: await connectFirst(service, scene) };
}

/** Posts on the account and runs the worker for some hours; returns the post as it is then. */
export function postAndWait(
  { social, clock, profile }: Pick<ConnectedService, "social" | "clock" | "profile">,
  post: Partial<CreatePost> = {},
  hours = 3,
): Promise<Post> {
  return clock.run(async () => {
    await social.start();
    const { id } = await social.posts.create({ profile_ids: [profile.id], text: "Once.", ...post });
    await clock.sleep(hours * 3_600_000);
    await social.stop();
    return social.posts.get(id);
  });
}

/** The service's validation of a post on an account; sends no request. */
export function planOn(
  { social, clock }: Pick<TestService, "social" | "clock">,
  account: ConnectProfile,
  post: Partial<CreatePost>,
): Promise<TargetPlan> {
  return clock.run(async () => {
    const { id } = await social.profiles.connect(account);
    const { targets } = await social.posts.validate({ profile_ids: [id], text: "Hello", ...post });
    const [plan] = targets;
    if (plan === undefined) throw new Error("There is no plan for the account.");
    return plan;
  });
}

/** A post's problems, each as `field: message`. */
export function problemsIn({ issues }: TargetPlan): string[] {
  return issues.filter(({ severity }) => severity === "error").map(({ field, message }) => `${field}: ${message}`);
}
