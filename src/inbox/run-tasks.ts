import { PublishingError } from "../wire/errors.ts";
import { LeaseLost } from "../work/lease.ts";
import { BudgetUsedUp } from "./list-budgets.ts";
import type { InboxPorts } from "./ports.ts";
import { reasonOf } from "./reader.ts";
import { failureOf, withFailure, withRest, withWait } from "./source-state.ts";
import { type Task, tasksOf } from "./tasks.ts";
import type { Turn } from "./turn.ts";

/** Runs the due tasks in their order. @returns true if webhook events are left */
export async function runTasks(ports: InboxPorts, turn: Turn): Promise<boolean> {
  const { row, lease, allowance } = turn;
  // An inbox that has waited for its turn reads one list even if the limit is reached.
  let hasTurn = row.private.rests_until !== undefined;
  let isMore = false;
  for (const task of tasksOf(ports, turn)) {
    if (task.isList) {
      const isResting = (row.private.rests_until ?? 0) > lease.now();
      if (isResting || (allowance.isUsedUp(lease.now()) && !hasTurn) || task.mayWait?.()) continue;
      hasTurn = false;
    }
    const outcome = await attempt(ports, turn, task);
    if (outcome === "broken") return false;
    isMore ||= outcome === "more";
  }
  const nextTurn = allowance.nextTurn(lease.now());
  turn.putOff((stored) => withRest(stored, nextTurn));
  await turn.end();
  return isMore;
}

/** @returns `broken`: the profile is no longer connected, so the turn must end */
async function attempt(
  { logger }: Pick<InboxPorts, "logger">,
  turn: Turn,
  task: Task,
): Promise<"done" | "more" | "broken"> {
  try {
    return (await task.run()) ? "more" : "done";
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const { row, lease } = turn;
    const now = lease.now();
    if (error instanceof BudgetUsedUp) {
      const { until } = error;
      turn.putOff((state) => withWait(state, task, { until, now }));
      return "done";
    }
    await turn.ingest({ facts: [], readAt: now, state: (state) => withFailure(state, task, { error, now }) });
    if (isAboutLogin(error) && (await turn.isBroken())) return "broken";
    // The same failure is logged once.
    if (row.private.sources[task.name]?.failure !== failureOf(error)) {
      const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      logger.warn("an inbox could not be read", { profile: row.profile_id, source: task.name, error: words });
    }
    return "done";
  }
}

function isAboutLogin(error: unknown): boolean {
  const reason = reasonOf(error);
  return PublishingError.is(reason) && reason.code === "reauthentication_required";
}
