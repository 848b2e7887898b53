import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import { Section } from "../section.tsx";
import type { Webhook } from "../types.ts";

const [DeleteDialog, prepare] = lazyDialog(
  async () => (await import("./delete-dialog.tsx")).DeleteDialog,
);

/** The delete button, with confirmation. */
export function DeleteSection({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title={t("danger.title")}
      note={t("danger.note")}
      actions={
        <Button
          size="xs"
          variant="default"
          c="var(--bad)"
          leftSection={<IconTrash size={14} aria-hidden />}
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={() => setAsking(true)}
        >
          {t("danger.delete")}
        </Button>
      }
    >
      {isAsking ? <DeleteDialog webhook={webhook} onClose={() => setAsking(false)} /> : null}
    </Section>
  );
}
