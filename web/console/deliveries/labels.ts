/** How events, states and results are told, in the language of the page. */
import { useMemo } from "react";
import { useTranslation, type Translation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import type { TextKey } from "../../base/text-keys.ts";
import { useEventTypeLabel } from "../event-types/use-event-type-label.ts";
import { attemptErrors, isAttemptError, type Delivery, type DeliveryState } from "./model.ts";

export type Words = ReturnType<typeof useWords>;

/**
 * A number and the plural that it asks for. Languages have forms for a million as well, that say
 * nothing where the number stands beside the word.
 */
export function counted(number: number): { count: number; number: string } {
  return {
    count: Math.min(number, 2),
    number: formatNumber(number),
  };
}

/** The same object until the language changes. */
export function useWords() {
  const translation = useTranslation("deliveries");
  const typeLabel = useEventTypeLabel();
  return useMemo(() => wordsIn(translation, typeLabel), [translation, typeLabel]);
}

type EventKind = Readonly<{ object: string; event: string | null; event_type: string | null }>;

/** Texts that the API may grow beyond what this page knows stand there as they are. */
function wordsIn(
  { t, find }: Translation<TextKey<"deliveries">>,
  typeLabel: (eventType: string) => string,
) {
  const known = (key: string, otherwise: string): string => find(key) ?? otherwise;

  /** Has a text of its own where the label alone is that of another event too. */
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
    return isAttemptError(error) ? t(`base:delivery_error.${error}`) : (error ?? "");
  };
  /** Of a filter: "5xx" stands for itself. */
  const resultClass = (name: string): string =>
    attemptErrors.some((one) => one === name) ? known(`base:delivery_error.${name}`, name) : name;
  /** Within a sentence: "server error (5xx)". */
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
