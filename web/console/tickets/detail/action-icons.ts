import {
  IconArchive,
  IconArrowsExchange,
  IconBan,
  IconCheck,
  IconCircleCheck,
  IconHandGrab,
  IconPencil,
  IconSend,
  IconThumbDown,
  IconTrash,
  type Icon,
} from "@tabler/icons-react";
import type { StaffAction } from "../allowed-actions.ts";

export const actionIcons: Record<StaffAction, Icon> = {
  take: IconHandGrab,
  approve: IconCheck,
  invite: IconSend,
  complete: IconCircleCheck,
  close: IconArchive,
  assign: IconArrowsExchange,
  edit: IconPencil,
  reject: IconThumbDown,
  cancel: IconBan,
  remove: IconTrash,
};

/** Irreversible actions, shown in red. */
export const dangerous: ReadonlySet<StaffAction> = new Set(["reject", "cancel", "remove"]);
