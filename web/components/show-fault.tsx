import { notifications, type NotificationData } from "@mantine/notifications";
import { say } from "../base/i18n.ts";
import { ErrorBox } from "./error-box.tsx";

/** Shows an error as a toast, for actions with no place of their own on the page. */
export function showFault(thrown: unknown): void {
  show({ color: "red", message: <ErrorBox error={thrown} />, autoClose: 10_000 });
}

/** Says with a toast why an action was not done, where the page works and a reload changes nothing. */
export function showRefusal(message: string): void {
  show({ color: "red", message, autoClose: 10_000 });
}

/** Confirms an action with a toast. */
export function showDone(message: string): void {
  show({ color: "green", message, autoClose: 4_000 });
}

type Toast = Pick<NotificationData, "color" | "message" | "autoClose">;

function show(toast: Toast): void {
  const closeButtonProps = { "aria-label": say("action.close") }; // for screen readers
  notifications.show({ ...toast, withBorder: true, closeButtonProps });
}
