/** Labels of events, states and results, in the language of the page. */
import { useMemo } from "react";
import type { DeliveryState } from "../../../src/contracts/deliveries.ts";
import { useTranslation, type Translation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import type { TextKey } from "../../base/text-keys.ts";
import { useEventTypeLabel } from "../event-types/use-event-type-label.ts";
import { isFailureClass, type Delivery } from "./model.ts";

export type Words = ReturnType<typeof useWords>;

/**
 * The count for the plural rule and the formatted number. Large numbers use a simpler plural form.
 */
export function counted(number: number): { count: number; number: string } {
  return {
    count: Math.min(number, 2),
    number: formatNumber(number),
  };
}

/** Memoized per language. */
export function useWords() {
  const translation = useTranslation("deliveries");
  const typeLabel = useEventTypeLabel();
  return useMemo(() => wordsIn(translation, typeLabel), [translation, typeLabel]);
}

type EventKind = Readonly<{ object: string; event: string | null; event_type: string | null }>;

/** Values that this page does not know are shown unchanged. */
function wordsIn(
  { t, find }: Translation<TextKey<"deliveries">>,
  typeLabel: (eventType: string) => string,
) {
  const known = (key: string, otherwise: string): string => find(key) ?? otherwise;

  /** Has its own text if the plain label would be ambiguous. */
  const eventType = (type: string): string => known(`type.${type}`, typeLabel(type));

  /** "Ticket updated", "Invitation opened". */
  const event = ({ object, event: action, event_type: type }: EventKind): string => {
    if (type !== null) {
      return eventType(type);
    }
    return action === null
      ? known(`object.${object}`, object)
      : known(`happened.${object}.${action}`, `${object}.${action}`);
  };
  const object = (name: string): string => known(`object.${name}`, name);
  const state = (name: DeliveryState): string => t(`base:delivery_state.${name}`);
  /** "503", "no answer in time". */
  const result = ({
    last_code: code,
    last_error: error,
  }: Pick<Delivery, "last_code" | "last_error">): string => {
    if (code !== null) {
      return String(code);
    }
    return isFailureClass(error) ? t(`base:delivery_error.${error}`) : (error ?? "");
  };
  /** Label of a result class; "5xx" is shown unchanged. */
  const resultClass = (name: string): string =>
    isFailureClass(name) ? known(`base:delivery_error.${name}`, name) : name;
  /** For use within a sentence: "server error (5xx)". */
  const resultInWords = (name: string): string => known(`answer_class.${name}`, resultClass(name));
  const endReason = (reason: string): string => known(`end_reason.${reason}`, reason);
  return {
    event,
    eventType,
    object,
    state,
    result,
    resultClass,
    resultInWords,
    endReason,
    known,
    t,
  };
}
