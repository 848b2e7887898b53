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
import { lazyDialog } from "../../components/lazy-dialog.tsx";
import { useMay } from "../session.ts";
import type { MeetingAction } from "./meeting-dialog.tsx";
import { isOver, type Meeting } from "./types.ts";

const [MeetingDialog, prepare] = lazyDialog(
  async () => (await import("./meeting-dialog.tsx")).MeetingDialog,
);

/** Actions on a meeting, depending on state and permission. */
export function MeetingActions({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  const [action, setAction] = useState<MeetingAction>();
  const mayWrite = useMay("conferences.write");
  if (!mayWrite || (isOver(meeting) && action === undefined)) {
    return null;
  }
  return (
    <>
      {isOver(meeting) ? null : (
        <>
          <Others meeting={meeting} open={setAction} />
          <Button
            variant="default"
            leftSection={<IconUserPlus size={16} aria-hidden />}
            onPointerEnter={prepare}
            onFocus={prepare}
            onClick={() => setAction("invite")}
          >
            {t("action.invite")}
          </Button>
        </>
      )}
      {action === undefined ? null : (
        <MeetingDialog meeting={meeting} action={action} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}

function Others({ meeting, open }: { meeting: Meeting; open: (action: MeetingAction) => void }) {
  const { t } = useTranslation("meetings");
  return (
    <Menu position="bottom-end" onOpen={prepare}>
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
}
