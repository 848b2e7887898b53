/** A file: view, download, describe, delete. */
import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconDownload, IconScan, IconTrash } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { formatBytes } from "../../../base/format.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { showDone, showFault } from "../../../components/show-fault.tsx";
import { useRestoreFocus } from "../../../components/use-restore-focus.ts";
import { useSession } from "../../session.ts";
import { useFieldFaults } from "../form-faults.ts";
import { useRefresh } from "../ticket-actions.ts";
import { reaches } from "../allowed-actions.ts";
import { Coordinates } from "../timeline/event-line.tsx";
import type { Media, Ticket } from "../types.ts";
import { isShown } from "./media-tile.tsx";
import classes from "./media.module.css";

type DialogProps = Readonly<{ media: Media; ticket: Ticket; onClose: () => void }>;

const readable: readonly (string | null)[] = [
  ...["image/jpeg", "image/png", "image/webp", "image/bmp", "image/gif"],
];

export function MediaDialog({ media, ticket, onClose }: DialogProps) {
  useRestoreFocus();
  const { t } = useTranslation("tickets");
  const session = useSession();
  const mayWrite = reaches(session, "media.write", ticket);
  return (
    <Modal
      opened
      onClose={onClose}
      title={media.title}
      size="lg"
      closeButtonProps={{ "aria-label": t("form.close") }}
    >
      <Stack gap="sm">
        <Preview key={media.filesize} media={media} />
        <Text size="xs" c="dimmed">
          {[media.owner.name, formatBytes(media.filesize ?? 0), media.filename].join(" · ")} ·{" "}
          <RelativeTime at={media.created} />
        </Text>
        {media.geoloc === null ? null : <Coordinates {...media.geoloc} />}
        <Group gap="xs">
          <Button
            component="a"
            href={media.url}
            download={media.filename}
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
          >
            {t("media.download")}
          </Button>
          {mayWrite && readable.includes(media.type) ? <ReadText media={media} /> : null}
          {reaches(session, "media.delete", ticket) ? (
            <Deleting media={media} ticket={ticket} onClose={onClose} />
          ) : null}
        </Group>
        {mayWrite ? (
          <Words media={media} ticketId={ticket.id} />
        ) : (
          <Text size="sm">{media.description}</Text>
        )}
      </Stack>
    </Modal>
  );
}

function Preview({ media }: { media: Media }) {
  const { t } = useTranslation("tickets");
  // A new link restarts the player, so it is used only if the old one has expired.
  const [url, setUrl] = useState(media.url);
  const renew = (): void => setUrl(media.url);
  const player = { src: url, onError: renew, controls: true, "aria-label": media.title };
  if (isShown(media)) {
    return (
      <img className={classes["large"]} src={media.url} alt={media.description ?? media.title} />
    );
  }
  if (media.media_type === "video") {
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- recordings of calls have no captions
    return <video className={classes["large"]} {...player} />;
  }
  if (media.media_type === "audio") {
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- recordings of calls have no captions
    return <audio className={classes["sound"]} {...player} />;
  }
  return (
    <Text size="sm" c="dimmed">
      {t("media.no_preview")}
    </Text>
  );
}

function ReadText({ media }: { media: Media }) {
  const { t } = useTranslation("tickets");
  const reading = useMutation({
    mutationFn: () =>
      call(
        api.POST("/api/medias/{mediaId}/ocr", {
          params: { path: { mediaId: media.id } },
          body: {},
        }),
      ),
    onSuccess: () => showDone(t("media.reading")),
    onError: showFault,
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={reading.isPending}
      leftSection={<IconScan size={14} aria-hidden />}
      onClick={() => reading.mutate()}
    >
      {t("media.read")}
    </Button>
  );
}

function Deleting({ media, ticket, onClose }: DialogProps) {
  const { t } = useTranslation("tickets");
  const [isAsking, setAsking] = useState(false);
  const refresh = useRefresh();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        c="var(--bad)"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t("media.delete")}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t("media.delete_title", { title: media.title })}
        action={t("media.delete")}
        isDangerous
        onConfirm={async () => {
          await call(
            api.DELETE("/api/medias/{mediaId}", { params: { path: { mediaId: media.id } } }),
          );
          await refresh(ticket.id);
          onClose();
        }}
      >
        {t("media.delete_text")}
      </Confirm>
    </>
  );
}

function Words({ media, ticketId }: { media: Media; ticketId: number }) {
  const { t } = useTranslation("tickets");
  const refresh = useRefresh();
  const faultsOf = useFieldFaults();
  const [fault, setFault] = useState<unknown>();
  const form = useForm({
    initialValues: { title: media.title, description: media.description ?? "" },
  });
  const save = async (body: { title: string; description: string }): Promise<void> => {
    setFault(undefined);
    try {
      const params = { path: { mediaId: media.id } };
      await call(api.PATCH("/api/medias/{mediaId}", { params, body }));
      form.resetDirty();
      showDone(t("media.saved"));
      await refresh(ticketId);
    } catch (thrown) {
      form.setErrors(faultsOf(thrown));
      setFault(thrown);
    }
  };
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack gap="xs">
        <TextInput
          label={t("media.name")}
          required
          maxLength={255}
          {...form.getInputProps("title")}
        />
        <Textarea
          label={t("media.description")}
          maxLength={2_000}
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps("description")}
        />
        {fault === undefined ? null : <ErrorBox error={fault} />}
        <Group justify="flex-end">
          <Button type="submit" size="xs" disabled={!form.isDirty()} loading={form.submitting}>
            {t("form.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
