/** Photos, recordings and files of a ticket. */
import { FileButton, Button, Skeleton, Text } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useSession } from "../../session.ts";
import { Card } from "../detail/card.tsx";
import { useRefresh } from "../ticket-actions.ts";
import { reaches } from "../allowed-actions.ts";
import { mediasQuery } from "../detail/queries.ts";
import type { Media, Ticket } from "../types.ts";
import { MediaTile } from "./media-tile.tsx";
import classes from "./media.module.css";

const [MediaDialog, prepareDialog] = lazyDialog(
  async () => (await import("./media-dialog.tsx")).MediaDialog,
);

export function MediaCard({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("tickets");
  const session = useSession();
  const { data, error, refetch } = useQuery(mediasQuery(ticket.id));
  const [openId, setOpenId] = useState<number>();
  const [fault, setFault] = useState<unknown>();
  const open = data?.data.find(({ id }) => id === openId);
  return (
    <Card
      title={t("media.title")}
      aside={
        reaches(session, "media.write", ticket) ? (
          <Upload ticketId={ticket.id} onFault={setFault} />
        ) : undefined
      }
    >
      {fault === undefined ? null : <ErrorBox error={fault} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton height={96} />
        ) : (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        )
      ) : null}
      {data?.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("media.none")}
        </Text>
      ) : null}
      {data === undefined ? null : <Tiles medias={data.data} onOpen={setOpenId} />}
      {open === undefined ? null : (
        <MediaDialog
          key={open.id}
          media={open}
          ticket={ticket}
          onClose={() => setOpenId(undefined)}
        />
      )}
    </Card>
  );
}

function Upload({ ticketId, onFault }: { ticketId: number; onFault: (fault: unknown) => void }) {
  const { t } = useTranslation("tickets");
  const refresh = useRefresh();
  const reset = useRef<() => void>(null);
  const sending = useMutation({
    mutationFn: async (files: readonly File[]) => {
      onFault(undefined);
      // Sequential, because a phone's upload bandwidth is low.
      for (const file of files) {
        await send(ticketId, file);
      }
    },
    onSuccess: (_, files) => showDone(t("media.sent", { count: files.length })),
    onError: onFault,
    onSettled: () => {
      // Otherwise choosing the same file again has no effect.
      reset.current?.();
      return refresh(ticketId);
    },
  });
  return (
    <FileButton
      onChange={(files) => sending.mutate(files)}
      multiple
      resetRef={reset}
      inputProps={{ "aria-label": t("media.upload") }}
    >
      {(button) => (
        <Button
          {...button}
          size="xs"
          variant="default"
          loading={sending.isPending}
          leftSection={<IconUpload size={14} aria-hidden />}
        >
          {t("media.upload")}
        </Button>
      )}
    </FileButton>
  );
}

function send(ticketId: number, file: File) {
  const form = new FormData();
  form.set("ticketId", String(ticketId));
  form.set("kind", "share");
  form.set("file", file);
  return call(
    api.POST("/api/medias", {
      // Placeholder for the types, which do not support files; the form is sent.
      body: { file: "" },
      bodySerializer: () => form,
    }),
  );
}

function Tiles({ medias, onOpen }: { medias: readonly Media[]; onOpen: (id: number) => void }) {
  return (
    <ul className={classes["tiles"]}>
      {medias.map((media) => (
        <MediaTile
          key={media.id}
          media={media}
          onNear={prepareDialog}
          onOpen={() => onOpen(media.id)}
        />
      ))}
    </ul>
  );
}
