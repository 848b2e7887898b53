import { notifications } from "@mantine/notifications";
import { ErrorBox } from "./error-box.tsx";

/** A fault of something that was done, where no place on the page is its own. */
export const showFault = (thrown: unknown): void => {
  notifications.show({
    color: "red",
    message: <ErrorBox error={thrown} />,
    autoClose: 10_000,
    withBorder: true,
  });
};

/** That something was done, in a few words. */
export const showDone = (message: string): void => {
  notifications.show({ color: "green", message, autoClose: 4_000, withBorder: true });
};
