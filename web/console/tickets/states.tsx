/** The meaning of ticket states. */
import { Tooltip } from "@mantine/core";
import { useTranslation } from "../../base/i18n.ts";
import type { TicketState } from "../../../src/contracts/events.ts";
import { daysUntilExpiry, transition } from "../../../src/contracts/tickets.ts";
import type { Meaning } from "../../components/meaning.ts";
import { StateBadge } from "../../components/state-badge.tsx";
import type { NextDeadline } from "./next-deadline.ts";
import { isTicketState, type SomeTicket } from "./types.ts";

const meanings: Record<TicketState, Meaning> = {
  new: "waiting",
  open: "warn",
  opened: "waiting",
  invited: "waiting",
  inprogress: "good",
  updated: "warn",
  done: "good",
  rejected: "bad",
  declined: "bad",
  expired: "bad",
  closed: "neutral",
};

/** The state, with an explanation on hover. */
export function TicketStateBadge({ state }: { state: string }) {
  const { t } = useTranslation("tickets");
  if (!isTicketState(state)) {
    return <StateBadge meaning="neutral">{state}</StateBadge>;
  }
  return (
    <Tooltip label={t(`state_means.${state}`)} multiline maw={280}>
      <span data-state={state}>
        <StateBadge meaning={meanings[state]}>{t(`state.${state}`)}</StateBadge>
      </span>
    </Tooltip>
  );
}

const dayMs = 86_400_000;

/**
 * The next automatic change of a ticket; null if there is none. `now` in ms. An invitation is valid
 * until the planned end, and for at least a day.
 */
export function nextOf(ticket: SomeTicket, now: number): NextDeadline | null {
  const { state, start_time: start, end_time: end, modified } = ticket;
  if (!isTicketState(state)) {
    return null;
  }
  const mayExpire = transition(state, "expire").isAllowed;
  if (mayExpire && Date.parse(start) > now) {
    return { what: "starts", at: start };
  }
  if (state === "invited") {
    const at = Math.max(Date.parse(end), Date.parse(modified) + dayMs);
    return { what: "expires", at: new Date(at).toISOString() };
  }
  const idleDays = daysUntilExpiry[state];
  return idleDays === null
    ? null
    : {
        what: mayExpire ? "expires" : "closes",
        at: new Date(Date.parse(modified) + idleDays * dayMs).toISOString(),
      };
}
