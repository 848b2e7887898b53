import { notifications } from "@mantine/notifications";
import { say } from "../base/i18n.ts";
import { ErrorBox } from "./error-box.tsx";

/** Shows an error as a toast, for actions with no place of their own on the page. */
export function showFault(thrown: unknown): void {
  notifications.show({
    color: "red",
    message: <ErrorBox error={thrown} />,
    autoClose: 10_000,
    withBorder: true,
    closeButtonProps: closing(),
  });
}

/** Confirms an action with a toast. */
export function showDone(message: string): void {
  notifications.show({
    color: "green",
    message,
    autoClose: 4_000,
    withBorder: true,
    closeButtonProps: closing(),
  });
}

/** Names the close button of a toast for screen readers. */
function closing() {
  return { "aria-label": say("action.close") };
}
