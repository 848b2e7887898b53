/** A supervisor watches a call. */
import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { asProblem } from "../../../base/problem.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { roomsQuery } from "../queries.ts";
import { CallOver } from "./call-over.tsx";
import { useWatchedRoom } from "./use-watched-room.ts";
import { WatchedCall } from "./watched-call.tsx";

export function WatchPage() {
  const { t } = useTranslation("rooms");
  const { sessionId = "" } = useParams({ strict: false });
  const { room, error, retry } = useWatchedRoom(sessionId);
  const name = useNameOf(sessionId);
  if (asProblem(error).status === 404) {
    return <CallOver />;
  }
  return (
    <>
      <PageHeader
        title={name ?? t("watch.title")}
        note={t("watch.note")}
        actions={
          <Button variant="default" renderRoot={(props) => <Link to="/rooms" {...props} />}>
            {t("watch.stop")}
          </Button>
        }
      />
      {error === undefined ? null : <ErrorBox error={error} onRetry={retry} />}
      {room === undefined ? null : <WatchedCall room={room} />}
      {room === undefined && error === undefined ? <Skeleton height={360} /> : null}
    </>
  );
}

/** Of the customer or the meeting; undefined if it has none. */
function useNameOf(sessionId: string): string | undefined {
  const { data } = useQuery(roomsQuery(undefined));
  const name = data?.data.find(({ id }) => id === sessionId)?.name;
  return name === "" ? undefined : name;
}
