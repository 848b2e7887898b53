import { Text } from "@mantine/core";
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
  if (onRetry !== undefined) {
    return <Text size="sm">{t("connection.next", { seconds })}</Text>;
  }
  return seconds === 0 ? null : <Text size="sm">{t("problem.retry_in", { seconds })}</Text>;
}
