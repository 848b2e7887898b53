import { useCallback } from "react";
import { useTranslation } from "../../base/i18n.ts";

/** The label of a type of timeline entry, "Invitation opened"; of an unknown type its name. */
export function useEventTypeLabel(): (eventType: string) => string {
  const { find } = useTranslation("event-types");
  return useCallback((eventType) => find(eventType) ?? eventType, [find]);
}
