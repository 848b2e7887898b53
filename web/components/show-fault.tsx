import { notifications } from "@mantine/notifications";
import { say } from "../base/i18n.ts";
import { ErrorBox } from "./error-box.tsx";

/** A fault of something that was done, where no place on the page is its own. */
export function showFault(thrown: unknown): void {
  notifications.show({
    color: "red",
    message: <ErrorBox error={thrown} />,
    autoClose: 10_000,
    withBorder: true,
    closeButtonProps: closing(),
  });
}

/** That something was done, in a few words. */
export function showDone(message: string): void {
  notifications.show({
    color: "green",
    message,
    autoClose: 4_000,
    withBorder: true,
    closeButtonProps: closing(),
  });
}

/** The button that takes a notice away has a name, for who does not see its cross. */
function closing() {
  return { "aria-label": say("action.close") };
}
