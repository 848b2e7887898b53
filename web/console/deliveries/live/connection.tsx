import { Alert } from "@mantine/core";
import { IconCircleFilled, IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import type { LiveState } from "./state.ts";
import classes from "./live.module.css";

const word = {
  connecting: "connecting",
  live: "live",
  lost: "reconnecting",
  refused: "ended",
} as const;

const pictures = {
  connecting: IconRefresh,
  live: IconCircleFilled,
  lost: IconRefresh,
  refused: IconPlugConnectedX,
} as const;

/** Shows whether the view is live. */
export function ConnectionBadge({ state }: { state: LiveState }) {
  const { t } = useTranslation("deliveries");
  const { is } = state.connection;
  const Picture = pictures[is];
  return (
    <span className={classes["connection"]} data-is={is} role="status">
      <Picture size={is === "live" ? 9 : 14} aria-hidden />
      {t(`now.connection.${word[is]}`)}
    </span>
  );
}

/** Explains a lost connection, and how old the shown data is. */
export function ConnectionNote({ state: { connection, view } }: { state: LiveState }) {
  const { t } = useTranslation("deliveries");
  if (connection.is === "refused") {
    return <ErrorBox error={connection.problem} />;
  }
  if (connection.is !== "lost") {
    return null;
  }
  const isFull = connection.problem?.status === 429;
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="md"
      icon={<IconPlugConnectedX aria-hidden />}
      title={t(isFull ? "now.connection.too_many" : "now.connection.lost")}
    >
      {view === undefined ? (
        t("now.connection.nothing_yet")
      ) : (
        <>
          {t("now.connection.shown_is_from")} <RelativeTime at={view.at} />.
        </>
      )}{" "}
      {t("now.connection.by_itself")}
    </Alert>
  );
}
