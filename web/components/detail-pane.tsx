import { CloseButton } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./detail-pane.module.css";
import { SidePanel } from "./side-panel.tsx";
import { useHasRoom } from "./split-view.tsx";

type DetailPaneProps = Readonly<{
  isOpen: boolean;
  /** Label of the pane, for screen readers. */
  label: string;
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
}>;

/** A detail pane beside the list, which stays usable; an overlay on narrow screens. */
export function DetailPane({ isOpen, label, title, onClose, children }: DetailPaneProps) {
  const { t } = useTranslation();
  if (!useHasRoom()) {
    return (
      <SidePanel isOpen={isOpen} title={title} onClose={onClose}>
        {children}
      </SidePanel>
    );
  }
  return isOpen ? (
    <aside className={classes["pane"]} aria-label={label}>
      <div className={classes["head"]}>
        {title}
        <CloseButton aria-label={t("action.close")} onClick={onClose} />
      </div>
      <div className={classes["body"]} tabIndex={0} role="group" aria-label={label}>
        {children}
      </div>
    </aside>
  ) : null;
}
