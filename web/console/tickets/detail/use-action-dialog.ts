import { useState } from "react";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import type { StaffAction } from "../allowed-actions.ts";

export const [ActionDialog, prepareActionDialog] = lazyDialog(
  async () => (await import("./action-dialog.tsx")).ActionDialog,
);

/** The open action dialog. */
export function useActionDialog() {
  const [action, setAction] = useState<StaffAction>();
  return { action, open: setAction, close: () => setAction(undefined) };
}
