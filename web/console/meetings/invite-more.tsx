import { Button, Group, Modal, Stack } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { showDone } from "../../components/show-fault.tsx";
import { countFaults, mostGuests } from "./contacts.ts";
import { GuestList } from "./guest-list.tsx";
import type { MeetingDialogProps } from "./meeting-confirms.tsx";
import { usePhones } from "./phones.ts";
import { participantsQuery, useRefresh } from "./queries.ts";
import { contactOf } from "./types.ts";

/** Adds guests and invites them. */
export function InviteMore({ meeting, onClose }: MeetingDialogProps) {
  const { t } = useTranslation("meetings");
  const { t: tBase } = useTranslation();
  const [guests, setGuests] = useState<string[]>([]);
  const { data = [] } = useQuery(participantsQuery(meeting));
  const { readPhone } = usePhones();
  const refresh = useRefresh();
  const known = new Set(data.filter(({ kind }) => kind === "invited").map(contactOf));
  const others = [...known].filter((contact) => !guests.includes(contact)).length;
  const inviting = useMutation({
    mutationFn: () =>
      call(
        api.POST("/api/conferences/{conferenceId}/invitations", {
          params: { path: { conferenceId: meeting.id } },
          body: { participants: guests.join(",") },
        }),
      ),
    onSuccess: async ({ total }) => {
      showDone(t("invite.done", { count: total }));
      await refresh();
      onClose();
    },
  });
  const faults = countFaults(guests, readPhone);
  const isReady = guests.length > 0 && faults === 0 && guests.length + others <= mostGuests;
  return (
    <Modal opened onClose={onClose} title={t("action.invite")} size="lg">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) {
            inviting.mutate();
          }
        }}
      >
        <Stack>
          <GuestList value={guests} onChange={setGuests} others={others} />
          {inviting.error === null ? null : <ErrorBox error={inviting.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {tBase("action.cancel")}
            </Button>
            <Button type="submit" disabled={!isReady} loading={inviting.isPending}>
              {t("invite.action", { count: guests.length - faults })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
