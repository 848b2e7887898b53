/** The meaning of ticket states. */
import { Tooltip } from "@mantine/core";
import { useTranslation } from "../../base/i18n.ts";
import type { TicketState } from "../../../src/contracts/events.ts";
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

/** Idle days before a ticket expires or closes automatically. */
const restingDays: Partial<Record<TicketState, { days: number; to: "expires" | "closes" }>> = {
  new: { days: 30, to: "expires" },
  open: { days: 30, to: "expires" },
  opened: { days: 30, to: "expires" },
  updated: { days: 30, to: "expires" },
  done: { days: 7, to: "closes" },
  rejected: { days: 30, to: "closes" },
  declined: { days: 30, to: "closes" },
  expired: { days: 30, to: "closes" },
};

const waiting: readonly string[] = ["new", "open", "opened", "updated", "invited"];

/**
 * The next automatic change of a ticket; null if there is none. `now` in ms. An invitation is valid
 * until the planned end, and for at least a day.
 */
export function nextOf(ticket: SomeTicket, now: number): NextDeadline | null {
  const { state, start_time: start, end_time: end, modified } = ticket;
  if (waiting.includes(state) && Date.parse(start) > now) {
    return { what: "starts", at: start };
  }
  if (state === "invited") {
    const at = Math.max(Date.parse(end), Date.parse(modified) + dayMs);
    return { what: "expires", at: new Date(at).toISOString() };
  }
  const rest = isTicketState(state) ? restingDays[state] : undefined;
  return rest === undefined
    ? null
    : { what: rest.to, at: new Date(Date.parse(modified) + rest.days * dayMs).toISOString() };
}
