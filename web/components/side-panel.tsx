import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";

type SidePanelProps = Readonly<{
  isOpen: boolean;
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
}>;

/** A panel beside a list, which stays visible; full-screen on a phone. */
export function SidePanel({ isOpen, title, onClose, children }: SidePanelProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      size="min(720px, 100vw)"
      overlayProps={{ backgroundOpacity: 0.15 }}
      transitionProps={{ duration: 120 }}
      closeButtonProps={{ "aria-label": t("action.close") }}
    >
      {children}
    </Drawer>
  );
}
