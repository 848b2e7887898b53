import { Button } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { useSyncExternalStore } from "react";
import { connection } from "../base/connection.ts";
import { useTranslation } from "../base/i18n.ts";
import { useSecondsUntil } from "./use-seconds-until.ts";
import classes from "./connection-notice.module.css";

/** Overlays every page while the server is unreachable. The page keeps its content. */
export function ConnectionNotice() {
  const { t } = useTranslation();
  const { isAway, nextProbeAt } = useSyncExternalStore(connection.subscribe, connection.state);
  return isAway ? (
    <div className={classes["notice"]} role="status" data-connection-notice>
      <IconPlugConnectedX size={16} aria-hidden />
      <span>{t("connection.away")}</span>
      {nextProbeAt === undefined ? null : <Countdown until={nextProbeAt} />}
      <Button
        size="compact-xs"
        variant="default"
        loading={nextProbeAt === undefined}
        onClick={connection.probeNow}
      >
        {t("connection.now")}
      </Button>
    </div>
  ) : null;
}

/** Renders once a second. */
function Countdown({ until }: { until: number }) {
  const { t } = useTranslation();
  return <span aria-hidden>{t("connection.next", { seconds: useSecondsUntil(until) })}</span>;
}
