import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";
import { ErrorBox } from "./error-box.tsx";

type ConfirmProps = Readonly<{
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Describes the consequences, in numbers. */
  children: ReactNode;
  /** Label of the confirm button, a verb. */
  action: string;
  isDangerous?: boolean;
  /** Label of the cancel button, where "Cancel" would be ambiguous. */
  keep?: string;
  /** Shows a single button, because there is no choice. */
  isNotice?: boolean;
  /** If it throws, the dialog stays open and shows the error. */
  onConfirm: () => Promise<unknown>;
}>;

/** A confirmation dialog. */
export function Confirm(props: ConfirmProps) {
  const { isOpen, onClose, title, children, action, keep, onConfirm } = props;
  const { isDangerous = false, isNotice = false } = props;
  const { t } = useTranslation();
  // Opens after mounting, so that the focus returns to the element that had it before.
  const isThere = useMounted();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    setFault(undefined); // of the last time it was open
  }
  const run = async (): Promise<void> => {
    setBusy(true);
    setFault(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (thrown) {
      setFault(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened={isThere && isOpen}
      onClose={onClose}
      title={title}
      closeButtonProps={{ "aria-label": t("action.close") }}
    >
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        {fault === undefined ? null : <ErrorBox error={fault} />}
        <Group justify="flex-end" gap="xs">
          {isNotice ? null : (
            <Button variant="default" onClick={onClose}>
              {keep ?? t("action.cancel")}
            </Button>
          )}
          <Button
            color={isDangerous ? "red" : "accent"}
            loading={isBusy}
            onClick={() => void run()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
