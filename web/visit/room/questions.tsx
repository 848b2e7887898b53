/** Questions over the call that need an answer. */
import type { ReactNode } from "react";
import { Dialog } from "../../rooms/ui/dialog.tsx";
import { Button } from "../screens/screen.tsx";
import { useWords } from "../texts.ts";

type RecordingProps = Readonly<{ who: string; onAnswer: (isAccepted: boolean) => void }>;

export function RecordingQuestion({ who, onAnswer }: RecordingProps): ReactNode {
  const { t } = useWords();
  return (
    <Dialog
      isAlert
      title={t("record_title")}
      actions={
        <>
          <Button isMain onPress={() => onAnswer(true)}>
            {t("record_accept")}
          </Button>
          <Button onPress={() => onAnswer(false)}>{t("record_refuse")}</Button>
        </>
      }
    >
      <p>{t("record_text", { who })}</p>
    </Dialog>
  );
}

type LeaveProps = Readonly<{ onCancel: () => void; onLeave: () => void }>;

export function LeaveQuestion({ onCancel, onLeave }: LeaveProps): ReactNode {
  const { t } = useWords();
  return (
    <Dialog
      isAlert
      title={t("leave_title")}
      onClose={onCancel}
      actions={
        <>
          <Button isMain onPress={onCancel}>
            {t("leave_no")}
          </Button>
          <Button onPress={onLeave}>{t("leave_yes")}</Button>
        </>
      }
    />
  );
}
