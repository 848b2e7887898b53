import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../base/i18n.ts";

type NameProps = Readonly<{ onSave: (name: string) => void; onClose: () => void }>;

/** Dialog for the name of a view. */
export function NameDialog({ onSave, onClose }: NameProps) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("view.save_title")}
      closeButtonProps={{ "aria-label": t("action.close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave(name.trim());
        }}
      >
        <Stack>
          <TextInput
            label={t("view.name")}
            description={t("view.note")}
            value={name}
            maxLength={40}
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button type="submit" disabled={name.trim() === ""}>
              {t("action.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
