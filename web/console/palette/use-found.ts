/** Search results for the palette: tickets, meetings, events and deliveries. */
import { useDebouncedValue } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import {
  addressOfDelivery,
  addressOfExplain,
  addressOfMeeting,
  addressOfTicket,
} from "../search/addresses.ts";
import { answerOf, type SearchHits } from "../search/answer.ts";
import { allowedOf, findQuery } from "../search/find.ts";
import { questionsOf, parseIntent } from "../search/kinds.ts";
import { useSession } from "../session.ts";
import { nameOf } from "../tickets/person.ts";
import type { Command } from "./match.ts";

type Words = Readonly<{
  ticket: (id: number) => string;
  meeting: (id: number) => string;
  delivery: (id: number) => string;
  event: (id: string) => string;
}>;

type Destination = Readonly<{ to: string; label: string; note?: string }>;

const leastLetters = 2;

/** The last row opens the full search, which also shows failed searches. */
export function useFound(typed: string): { commands: Command[]; isLooking: boolean } {
  const { t } = useTranslation("palette");
  const navigate = useNavigate();
  const session = useSession();
  const [settled] = useDebouncedValue(typed.trim(), 200);
  const isLong = settled.length >= leastLetters || /^\d+$/u.test(settled);
  const allowed = isLong ? allowedOf(parseIntent(settled), session) : [];
  const questions = questionsOf(allowed);
  const result = useQueries({ queries: questions.map(findQuery) });
  const { found } = answerOf(
    allowed,
    questions.map((intent, nth) => ({
      ...{ data: undefined, error: null },
      ...result[nth],
      intent,
    })),
  );
  const event = allowed.find(({ kind }) => kind === "event");
  const words: Words = {
    ticket: (id) => t("found.ticket", { id }),
    meeting: (id) => t("found.meeting", { id }),
    delivery: (id) => t("found.delivery", { id }),
    event: (id) => t("found.event", { id }),
  };
  const destinations = destinationsOf(found, words, event?.kind === "event" ? event.id : undefined);
  const search: Destination = {
    to: `/search?q=${encodeURIComponent(typed.trim())}`,
    label: t("found.search", { q: typed.trim() }),
  };
  return {
    commands: (typed.trim() === "" ? [] : [...destinations, search]).map(
      ({ to, ...destination }) => ({
        ...destination,
        id: `found ${to}`,
        group: "found",
        run: () => void navigate({ href: to } as never),
      }),
    ),
    isLooking: settled !== typed.trim() || result.some(({ isPending }) => isPending),
  };
}

const mostOfEach = 5;

function destinationsOf(
  found: SearchHits,
  words: Words,
  eventId: string | undefined,
): Destination[] {
  return [
    ...found.tickets.slice(0, mostOfEach).map((ticket) => ({
      to: addressOfTicket(ticket.id),
      label: words.ticket(ticket.id),
      note: [nameOf(ticket.requestor), ticket.reference].filter(Boolean).join(" · "),
    })),
    ...found.meetings.slice(0, mostOfEach).map(({ id, name }) => ({
      ...{ to: addressOfMeeting(id), label: words.meeting(id), note: name },
    })),
    ...found.deliveries.slice(0, mostOfEach).map(({ id }) => ({
      ...{ to: addressOfDelivery(id), label: words.delivery(id) },
    })),
    ...(eventId === undefined || found.events.length === 0
      ? []
      : [{ to: addressOfExplain(eventId), label: words.event(eventId) }]),
  ];
}
