import { useState } from "react";
import { later } from "../../../components/later.tsx";
import type { StaffAction } from "../permitted.ts";

export const [ActionDialog, prepareActionDialog] = later(
  async () => (await import("./action-dialog.tsx")).ActionDialog,
);

/** Which action is being asked about. */
export function useActionDialog() {
  const [action, setAction] = useState<StaffAction>();
  return { action, open: setAction, close: () => setAction(undefined) };
}
