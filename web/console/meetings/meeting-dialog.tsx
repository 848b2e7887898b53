import { useRestoreFocus } from "../../components/use-restore-focus.ts";
import { EditMeeting } from "./edit-meeting.tsx";
import { InviteMore } from "./invite-more.tsx";
import {
  CancelMeeting,
  EndMeeting,
  InviteAgain,
  type MeetingDialogProps,
} from "./meeting-confirms.tsx";

const dialogs = {
  invite: InviteMore,
  again: InviteAgain,
  edit: EditMeeting,
  end: EndMeeting,
  cancel: CancelMeeting,
} as const;

/** Actions with a dialog. */
export type MeetingAction = keyof typeof dialogs;

/** The dialog of an action. */
export function MeetingDialog({
  action,
  ...props
}: MeetingDialogProps & Readonly<{ action: MeetingAction }>) {
  useRestoreFocus();
  const Shown = dialogs[action];
  return <Shown {...props} />;
}
