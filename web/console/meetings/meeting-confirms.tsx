import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { Confirm } from "../../components/confirm.tsx";
import { showDone } from "../../components/show-fault.tsx";
import { participantsQuery, useRefresh } from "./queries.ts";
import type { Meeting } from "./types.ts";

export type MeetingDialogProps = Readonly<{ meeting: Meeting; onClose: () => void }>;

export function InviteAgain({ meeting, onClose }: MeetingDialogProps) {
  const { t } = useTranslation("meetings");
  const { guests } = useCounts(meeting);
  const refresh = useRefresh();
  const invite = async (): Promise<void> => {
    const params = { path: { conferenceId: meeting.id } };
    const sent = await call(
      api.POST("/api/conferences/{conferenceId}/invitations", { params, body: {} }),
    );
    await refresh();
    showDone(t("invite.done", { count: sent.total }));
  };
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t("action.again")}
      action={t("again.action", { count: guests })}
      onConfirm={invite}
    >
      {t("again.text", { count: guests })}
    </Confirm>
  );
}

export function EndMeeting({ meeting, onClose }: MeetingDialogProps) {
  const { t } = useTranslation("meetings");
  const { present } = useCounts(meeting);
  const refresh = useRefresh();
  const end = async (): Promise<void> => {
    const params = { path: { conferenceId: meeting.id } };
    await call(api.POST("/api/conferences/{conferenceId}/end", { params }));
    await refresh();
    showDone(t("end.done"));
  };
  return (
    <Confirm
      isOpen
      isDangerous
      onClose={onClose}
      title={t("end.title", { name: meeting.name })}
      action={t("action.end")}
      onConfirm={end}
    >
      {t("end.text", { count: present })}
    </Confirm>
  );
}

export function CancelMeeting({ meeting, onClose }: MeetingDialogProps) {
  const { t } = useTranslation("meetings");
  const { notified } = useCounts(meeting);
  const refresh = useRefresh();
  const cancel = async (): Promise<void> => {
    const params = { path: { conferenceId: meeting.id } };
    await call(api.DELETE("/api/conferences/{conferenceId}", { params }));
    await refresh();
    showDone(t("cancel.done", { count: notified }));
  };
  return (
    <Confirm
      isOpen
      isDangerous
      onClose={onClose}
      title={t("cancel.title", { name: meeting.name })}
      action={t("action.cancel")}
      onConfirm={cancel}
    >
      {notified === 0 ? t("cancel.nobody") : t("cancel.text", { count: notified })}
    </Confirm>
  );
}

/** Number of guests on the list, notified, and in the room. */
function useCounts(meeting: Meeting) {
  const { data = [] } = useQuery(participantsQuery(meeting));
  const guests = data.filter(({ kind }) => kind === "invited");
  return {
    guests: guests.length,
    notified: guests.filter(({ invited }) => invited !== null).length,
    present: data.filter(({ is_present }) => is_present).length,
  };
}
