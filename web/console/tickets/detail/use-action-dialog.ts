import { useState } from "react";
import type { StaffAction } from "../permitted.ts";

/** Which action is being asked about. */
export const useActionDialog = () => {
  const [action, setAction] = useState<StaffAction>();
  return { action, open: setAction, close: () => setAction(undefined) };
};
