import { Alert, Skeleton } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import type { RoomView } from "../../../rooms/room.ts";
import { CallOver } from "./call-over.tsx";
import { Pictures } from "./pictures.tsx";
import type { WatchedRoom } from "./watch-room.ts";

/** What a supervisor sees of the call. */
export function WatchedCall({ room }: { room: WatchedRoom }) {
  const { t } = useTranslation("rooms");
  const view = useSyncExternalStore(room.subscribe, room.view);
  if (view.phase === "left") {
    return <CallOver />;
  }
  if (view.joinFault !== undefined) {
    return (
      <Alert color="yellow" role="alert" title={t("watch.refused")}>
        {t("watch.refused_text")}
      </Alert>
    );
  }
  return (
    <>
      <State view={view} />
      {view.phase === "in-call" ? <Pictures view={view} /> : <Skeleton height={360} />}
    </>
  );
}

function State({ view: { connection } }: { view: RoomView }) {
  const { t } = useTranslation("rooms");
  return (
    <Alert
      color={connection === "reconnecting" ? "yellow" : "blue"}
      icon={<IconEye aria-hidden />}
      role="status"
      mb="md"
    >
      {connection === "reconnecting" ? t("watch.reconnecting") : t("watch.notice")}
    </Alert>
  );
}
