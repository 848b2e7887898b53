import { Button, Menu } from "@mantine/core";
import {
  IconCalendarX,
  IconChevronDown,
  IconEdit,
  IconPlayerStop,
  IconSend,
  IconUserPlus,
} from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { useMay } from "../session.ts";
import { EditMeeting } from "./edit-meeting.tsx";
import { InviteMore } from "./invite-more.tsx";
import { CancelMeeting, EndMeeting, InviteAgain } from "./meeting-confirms.tsx";
import { isOver, type Meeting } from "./types.ts";

type Dialog = "invite" | "again" | "edit" | "end" | "cancel";

const dialogs = {
  invite: InviteMore,
  again: InviteAgain,
  edit: EditMeeting,
  end: EndMeeting,
  cancel: CancelMeeting,
} as const;

const Others = ({ meeting, open }: { meeting: Meeting; open: (dialog: Dialog) => void }) => {
  const { t } = useTranslation("meetings");
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {t("action.more")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEdit size={15} aria-hidden />} onClick={() => open("edit")}>
          {t("action.edit")}
        </Menu.Item>
        <Menu.Item leftSection={<IconSend size={15} aria-hidden />} onClick={() => open("again")}>
          {t("action.again")}
        </Menu.Item>
        <Menu.Divider />
        {meeting.status === "ongoing" ? (
          <Menu.Item
            leftSection={<IconPlayerStop size={15} aria-hidden />}
            c="var(--bad)"
            onClick={() => open("end")}
          >
            {t("action.end")}
          </Menu.Item>
        ) : (
          <Menu.Item
            leftSection={<IconCalendarX size={15} aria-hidden />}
            c="var(--bad)"
            onClick={() => open("cancel")}
          >
            {t("action.cancel")}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};

/** What can be done with it: nothing once it is over, and only by who may. */
export const MeetingActions = ({ meeting }: { meeting: Meeting }) => {
  const { t } = useTranslation("meetings");
  const [dialog, setDialog] = useState<Dialog>();
  const mayWrite = useMay("conferences.write");
  const Shown = dialog === undefined ? undefined : dialogs[dialog];
  if (!mayWrite || (isOver(meeting) && dialog === undefined)) {
    return null;
  }
  return (
    <>
      {isOver(meeting) ? null : (
        <>
          <Others meeting={meeting} open={setDialog} />
          <Button
            leftSection={<IconUserPlus size={16} aria-hidden />}
            onClick={() => setDialog("invite")}
          >
            {t("action.invite")}
          </Button>
        </>
      )}
      {Shown === undefined ? null : (
        <Shown meeting={meeting} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
};
