import type { PostStatus } from "../publishing/schema.ts";
import { SocialError } from "../wire/errors.ts";

/** The changes that can happen to a post. */
export type MoveName = "create" | "update" | "mend" | "cancel" | "start" | "settle" | "retry";

export interface Move {
  move: MoveName;
  /** Null: the post does not exist yet. */
  from: readonly (PostStatus | null)[];
  /** Empty: the status stays. */
  to: readonly PostStatus[];
  /** The cause, and the condition of each resulting status. */
  when: string;
}

/** All changes of a post's status; no others can happen. The table in `examples/publishing` is generated from it. */
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

/** @throws SocialError `conflict` if the post's status does not allow the move */
export function assertMove(name: MoveName, status: PostStatus): void {
  const allowed = statusesFor(name);
  if (allowed.includes(status)) return;
  throw new SocialError("conflict", `The post is ${status}; ${name} requires ${allowed.join(" or ")}.`);
}
