import type { PostStatus } from "../publishing/schema.ts";
import { SocialError } from "../wire/errors.ts";

/** What can happen to a post. */
export type MoveName = "create" | "update" | "mend" | "cancel" | "start" | "settle" | "retry";

export interface Move {
  move: MoveName;
  /** Null: there is no post yet. */
  from: readonly (PostStatus | null)[];
  /** Empty: the post stays what it is. */
  to: readonly PostStatus[];
  /** What makes it happen, and where it leads. */
  when: string;
}

/** Every move of a post from one status to another; what is not listed cannot happen. The table in `examples/publishing` is made from it. */
export const moves: readonly Move[] = [
  {
    move: "create",
    from: [null],
    to: ["draft", "scheduled", "publishing"],
    when: "`draft`; or `scheduled_at` a minute or more ahead; otherwise immediately",
  },
  {
    move: "update",
    from: ["draft", "scheduled", "failed"],
    to: ["draft", "scheduled", "publishing"],
    when: "as with `create`; a failed post only while nothing of it is live or may be",
  },
  {
    move: "mend",
    from: ["publishing", "partially_published", "failed"],
    to: [],
    when: "an `update` of `networks.<network>` where all targets of the network have certainly failed; the status stays, or with `publish_now` is that after `retry`",
  },
  { move: "cancel", from: ["draft", "scheduled"], to: ["cancelled"], when: "its targets become `skipped`; no event" },
  {
    move: "start",
    from: ["scheduled"],
    to: ["publishing", "failed"],
    when: "its time has come; failed if no target can be published any more",
  },
  {
    move: "settle",
    from: ["publishing", "failed", "partially_published"],
    to: ["publishing", "published", "partially_published", "failed"],
    when: "a target has ended; also later, when a target that ended as `timeout` is found on its network",
  },
  {
    move: "retry",
    from: ["publishing", "partially_published", "failed"],
    to: ["publishing"],
    when: "failed targets are retried",
  },
];

function statusesFor(name: MoveName): readonly PostStatus[] {
  return moves.filter(({ move }) => move === name).flatMap(({ from }) => from.filter((status) => status !== null));
}

/** @throws SocialError `conflict` when the move is not one for a post in this status */
export function assertMove(name: MoveName, status: PostStatus): void {
  const allowed = statusesFor(name);
  if (allowed.includes(status)) return;
  throw new SocialError("conflict", `The post is ${status}; ${name} requires ${allowed.join(" or ")}.`);
}
