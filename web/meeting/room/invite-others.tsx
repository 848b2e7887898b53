import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { t } from "../texts.ts";
import styles from "./invite-others.module.css";

/** Copies the URL without personal parameters. */
export function InviteOthers(): ReactNode {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    const { origin, pathname } = location;
    void navigator.clipboard?.writeText(`${origin}${pathname}`).then(
      () => setCopied(true),
      () => undefined,
    );
  };
  return (
    <button type="button" className={styles.copy} onClick={copy}>
      {isCopied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
      <span aria-live="polite">{t(isCopied ? "copied" : "copy_link")}</span>
    </button>
  );
}
