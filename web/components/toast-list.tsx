import { Notifications } from "@mantine/notifications";

/** Shows the toasts of `show-fault.tsx`. Loaded by `toasts.tsx`. */
export function ToastList() {
  return <Notifications position="bottom-right" />;
}
