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

/** What is done with a meeting. */
export type MeetingAction = keyof typeof dialogs;

/** The dialog of the action that was chosen. */
export function MeetingDialog({
  action,
  ...props
}: MeetingDialogProps & Readonly<{ action: MeetingAction }>) {
  useRestoreFocus();
  const Shown = dialogs[action];
  return <Shown {...props} />;
}
