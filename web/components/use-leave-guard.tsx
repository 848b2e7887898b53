import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useRef, type ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";

/**
 * Asks for confirmation before the user leaves a page with unsaved changes. `allow` permits leaving
 * after a save.
 */
export function useLeaveGuard(isDirty: boolean): {
  dialog: ReactNode;
  allow: (isAllowed: boolean) => void;
} {
  const { t } = useTranslation();
  const isAllowed = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty && !isAllowed.current,
    enableBeforeUnload: () => isDirty && !isAllowed.current,
    withResolver: true,
  });
  const cancel = (): void => blocker.reset?.();
  const dialog = (
    <Modal opened={blocker.status === "blocked"} onClose={cancel} title={t("leave.title")}>
      <Stack>
        <Text size="sm">{t("leave.text")}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={cancel}>
            {t("leave.stay")}
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            {t("leave.go")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
  return {
    dialog,
    allow: (next) => {
      isAllowed.current = next;
    },
  };
}
