import { Text, VisuallyHidden } from "@mantine/core";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "../base/i18n.ts";
import { useSecondsUntil } from "./use-seconds-until.ts";

type BusyCountdownProps = Readonly<{ retryAfter: number; onRetry: (() => void) | undefined }>;

/** Counts down the pause after "Too many requests"; at its end, retries what can be retried. */
export function BusyCountdown({ retryAfter, onRetry }: BusyCountdownProps) {
  const { t } = useTranslation();
  const [until] = useState(() => Date.now() + retryAfter * 1_000);
  const seconds = useSecondsUntil(until);
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => {
    const timer = setTimeout(() => retry(), until - Date.now());
    return () => clearTimeout(timer);
  }, [until]);
  const text = onRetry === undefined ? "problem.retry_in" : "connection.next";
  // A screen reader would read the whole box again each second.
  return onRetry === undefined && seconds === 0 ? null : (
    <>
      <Text size="sm" aria-hidden>
        {t(text, { seconds })}
      </Text>
      <VisuallyHidden>{t(text, { seconds: retryAfter })}</VisuallyHidden>
    </>
  );
}
