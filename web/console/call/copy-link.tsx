/** A button that copies a link and confirms it. */
import { Button, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "../../base/i18n.ts";

export function CopyLink({ url }: { url: string }) {
  const { t } = useTranslation("call");
  return (
    <CopyButton value={url} timeout={1_500}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={
            copied ? <IconCheck size={17} aria-hidden /> : <IconCopy size={17} aria-hidden />
          }
        >
          {t(copied ? "copied" : "copy_link")}
        </Button>
      )}
    </CopyButton>
  );
}
