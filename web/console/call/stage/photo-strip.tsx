/** Photos and pictures of this call, newest first, right below the video. */
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import type { RoomView } from "../../../rooms/room.ts";
import { useMay } from "../../session.ts";
import { isShown } from "../../tickets/media/media-tile.tsx";
import { mediasQuery } from "../../tickets/detail/queries.ts";
import type { Ticket } from "../../tickets/types.ts";
import type { Drawing } from "../board/use-drawing.ts";
import classes from "./stage.module.css";

const [PhotoDialog, prepareDialog] = lazyDialog(
  async () => (await import("../board/photo-dialog.tsx")).PhotoDialog,
);

type StripProps = Readonly<{
  view: RoomView;
  ticket: Ticket;
  drawing: Pick<Drawing, "open">;
  isBusy: boolean;
}>;

export function PhotoStrip({ view, ticket, drawing, isBusy }: StripProps) {
  const { t } = useTranslation("call");
  const { data } = useQuery({ ...mediasQuery(ticket.id), enabled: useMay("media.read") });
  const [openId, setOpenId] = useState<number>();
  const photos = (data?.data ?? []).filter(isShown);
  const open = photos.find(({ id }) => id === openId);
  if (photos.length === 0 && !isBusy) {
    return null;
  }
  return (
    <>
      <ul className={classes["strip"]} aria-label={t("photo.strip")}>
        {isBusy ? (
          <li>
            <Skeleton
              className={classes["thumb"] ?? ""}
              role="status"
              aria-label={t("photo.taking")}
            />
          </li>
        ) : null}
        {photos.map((media, nth) => (
          <li key={media.id}>
            <button
              type="button"
              className={classes["thumb"]}
              data-media={media.id}
              aria-label={t("photo.open", { number: photos.length - nth })}
              onPointerEnter={prepareDialog}
              onFocus={prepareDialog}
              onClick={() => setOpenId(media.id)}
            >
              <img src={media.url} alt="" />
            </button>
          </li>
        ))}
      </ul>
      {open === undefined ? null : (
        <PhotoDialog
          key={open.id}
          media={open}
          ticketId={ticket.id}
          canDraw={view.phase === "in-call"}
          onDraw={() => {
            drawing.open(open.id);
            setOpenId(undefined);
          }}
          onClose={() => setOpenId(undefined)}
        />
      )}
    </>
  );
}
