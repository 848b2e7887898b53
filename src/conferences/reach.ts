/** What a caller may touch, and what a conference allows at this moment. */
import { problem } from "../contracts/problems.ts";
import type { Conference } from "./conference.ts";
import { isOver, move, type ConferenceAction, type ConferenceStatus } from "./model.ts";
import type { FoundConference } from "./store.ts";

/** The same, and 403 where it is out of reach. */
export function requireReach(found: FoundConference | undefined, id: number): Conference {
  const { conference, isInReach } = requireFound(found, id);
  if (!isInReach) {
    throw problem("forbidden", `Conference ${id} belongs to somebody else.`);
  }
  return conference;
}

/** 404 where the enterprise has no conference of that id. */
export function requireFound<T>(found: T | undefined, id: number): T {
  if (found === undefined) {
    throw problem("not_found", `Conference ${id} was not found.`);
  }
  return found;
}

/** Where the action leads; a conflict that names both statuses where it is not allowed. */
export function requireMove(
  { status }: Pick<Conference, "status">,
  action: ConferenceAction,
): ConferenceStatus {
  const { isAllowed, to } = move(status, action);
  if (!isAllowed) {
    throw problem("conflict", `A conference that is ${status} does not allow this.`, {
      details: `Transition ${status} → ${to}`,
    });
  }
  return to;
}

/** 410 where nobody comes in any more. */
export function requireAlive({ status }: Pick<Conference, "status">): void {
  if (isOver(status)) {
    throw problem("gone", `The conference is ${status}.`);
  }
}
