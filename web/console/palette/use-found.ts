/** Search results for the palette: tickets, meetings, events and deliveries. */
import { useDebouncedValue } from "@mantine/hooks";
import { useQueries } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { answerOf } from "../search/answer.ts";
import { allowedOf, findQuery } from "../search/find.ts";
import { questionsOf, parseIntent } from "../search/kinds.ts";
import { useSession } from "../session.ts";
import { destinationsOf, type Destination, type DestinationWords } from "./destinations.ts";
import type { Command } from "./match.ts";

const leastLetters = 2;

/** The last row opens the full search, which also shows failed searches. */
export function useFound(typed: string): { commands: Command[]; isLooking: boolean } {
  const { t } = useTranslation("palette");
  const navigate = useNavigate();
  const session = useSession();
  const wanted = typed.trim();
  const [settled] = useDebouncedValue(wanted, 200);
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
  const words: DestinationWords = {
    ticket: (id) => t("found.ticket", { id }),
    meeting: (id) => t("found.meeting", { id }),
    delivery: (id) => t("found.delivery", { id }),
    event: (id) => t("found.event", { id }),
  };
  const eventId = event?.kind === "event" ? event.id : undefined;
  const destinations = destinationsOf({ wanted, settled, found, eventId }, words);
  const search: Destination = {
    to: `/search?q=${encodeURIComponent(wanted)}`,
    label: t("found.search", { q: wanted }),
  };
  return {
    commands: (wanted === "" ? [] : [...destinations, search]).map(({ to, ...destination }) => ({
      ...destination,
      id: `found ${to}`,
      group: "found",
      run: () => void navigate({ href: to } as never),
    })),
    isLooking: settled !== wanted || result.some(({ isPending }) => isPending),
  };
}
