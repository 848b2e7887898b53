import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";
import { ErrorBox } from "./error-box.tsx";

type ConfirmProps = Readonly<{
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, in numbers. */
  children: ReactNode;
  /** What the button does, as a verb. */
  action: string;
  isDangerous?: boolean;
  /** What leaving it does, where "Cancel" could mean either. */
  keep?: string;
  /** There is nothing to decide: one button is enough. */
  isNotice?: boolean;
  /** The dialog stays open, with the fault, where it throws. */
  onConfirm: () => Promise<unknown>;
}>;

/** Says what will happen, and does it only then. */
export function Confirm(props: ConfirmProps) {
  const { isOpen, onClose, title, children, action, keep, onConfirm } = props;
  const { isDangerous = false, isNotice = false } = props;
  const { t } = useTranslation();
  // It opens once it is there: the focus returns to what had it when it opened.
  const isThere = useMounted();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>();
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
