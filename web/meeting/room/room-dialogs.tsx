import type { ReactNode } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../../rooms/ui/dialog.tsx";
import { DeviceFaults, DeviceSettings } from "../screens/device-check.tsx";
import { t } from "../texts.ts";

export type SettingsDialogProps = Readonly<{ room: Room; view: RoomView; onClose: () => void }>;

export function SettingsDialog({ room, view, onClose }: SettingsDialogProps): ReactNode {
  return (
    <Dialog title={t("settings")} closeLabel={t("close")} onClose={onClose}>
      <DeviceFaults room={room} view={view} />
      <DeviceSettings room={room} view={view} />
    </Dialog>
  );
}

export type EndDialogProps = Readonly<{ onClose: () => void; onEnd: () => void }>;

export function EndDialog({ onClose, onEnd }: EndDialogProps): ReactNode {
  return (
    <Dialog
      title={t("end_title")}
      closeLabel={t("close")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button tone="danger" onClick={onEnd}>
            {t("end_for_all")}
          </Button>
        </>
      }
    >
      <p>{t("end_text")}</p>
    </Dialog>
  );
}
