import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { Confirm } from "../../components/confirm.tsx";
import { showDone } from "../../components/show-fault.tsx";
import { useRestoreFocus } from "../../components/use-restore-focus.ts";
import { useRefresh } from "./queries.ts";
import { contactOf, type Meeting, type Participant } from "./types.ts";

type RemoveGuestProps = Readonly<{
  meeting: Meeting;
  guests: readonly Participant[];
  leaving: Participant;
  onClose: () => void;
}>;

/** Removes a guest; an invited guest is notified. */
export function RemoveGuest({ meeting, guests, leaving, onClose }: RemoveGuestProps) {
  useRestoreFocus();
  const { t } = useTranslation("meetings");
  const refresh = useRefresh();
  const name = contactOf(leaving);
  const remove = async (): Promise<void> => {
    // The polled list may contain a newer object of the same guest.
    const participants = guests
      .map(contactOf)
      .filter((contact) => contact !== name)
      .join(",");
    const params = { path: { conferenceId: meeting.id } };
    await call(api.PATCH("/api/conferences/{conferenceId}", { params, body: { participants } }));
    await refresh();
    showDone(t("remove.done", { name }));
  };
  return (
    <Confirm
      isOpen
      isDangerous
      onClose={onClose}
      title={t("remove.title", { name })}
      action={t("remove.action")}
      onConfirm={remove}
    >
      {t(leaving.invited === null ? "remove.silent" : "remove.notified")}
    </Confirm>
  );
}
