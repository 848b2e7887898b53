import { useTranslation } from "../../../base/i18n.ts";
import type { TimelineEvent } from "../types.ts";
import { peopleOf } from "./event-actor.ts";
import { eventAppearances } from "./event-icons.ts";

/** The sentence of an entry. Unknown types are shown by their name. */
export function useSentence(event: TimelineEvent): string {
  const { t } = useTranslation("tickets");
  const priority = (value: number): string =>
    isPriority(value) ? t(`priority.${value}`) : String(value);
  if (!(event.eventType in eventAppearances)) {
    return t("event.other", { type: event.eventType });
  }
  return t(`event.${event.eventType}`, {
    ...peopleOf(event),
    ...("oldPriority" in event
      ? { before: priority(event.oldPriority), after: priority(event.newPriority) }
      : {}),
  });
}

function isPriority(priority: number): priority is 1 | 2 | 3 | 4 {
  return priority >= 1 && priority <= 4;
}
