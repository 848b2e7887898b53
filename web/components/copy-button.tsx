import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./copy-button.module.css";

/** An id or address in monospace, with a copy button. */
export function CopyText({ value, name }: { value: string; name: string }) {
  return (
    <span className={classes["line"]}>
      <span className={`mono ${classes["value"]}`}>{value}</span>
      <CopyValueButton value={value} name={name} />
    </span>
  );
}

/** Copies a value to the clipboard. `name` names the value for screen readers. */
export function CopyValueButton({ value, name }: { value: string; name: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t("action.copied") : t("action.copy")}>
          <ActionIcon
            variant="subtle"
            color={copied ? "green" : "gray"}
            size="sm"
            onClick={copy}
            aria-label={copied ? t("action.copied") : t("action.copy_what", { what: name })}
          >
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
