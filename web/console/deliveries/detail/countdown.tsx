import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration, formatExact } from "../../../base/format.ts";

/** Time left, to the second; the exact time on hover. */
export function Countdown({ to }: { to: string }) {
  const { t } = useTranslation("deliveries");
  const at = new Date(to);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.ceil((at.getTime() - now) / 1_000) * 1_000;
  const exact = formatExact(at);
  const text = left > 0 ? t("detail.in", { time: formatDuration(left) }) : t("detail.soon");
  return (
    <Tooltip label={exact}>
      <time dateTime={to} aria-label={exact}>
        {text}
      </time>
    </Tooltip>
  );
}
