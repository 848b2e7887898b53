import { CloseButton, Loader, Portal } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { createElement, useState, type ComponentType, type ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";
import { createLoader, useLoaded } from "../base/loader.ts";
import "./last-focus.ts";
import classes from "./lazy-dialog.module.css";
import { PartBoundary } from "./error-boundary.tsx";

type Closing = Readonly<{ onClose: () => void }>;

type Options<Props> = Readonly<{
  /** For what slides out again: it stays once it was open. Else it is there only while it is open. */
  isOpen?: (props: Props) => boolean;
}>;

/**
 * What opens over a page, a dialog or a panel: its script is loaded once it is asked for, or where
 * `prepare` is called, as soon as somebody is about to. Once loaded, it is there at once. While it
 * is on its way, and where it cannot be loaded, that is told over the page; Escape closes both.
 *
 *     const [Dialog, prepareDialog] = later(async () => (await import("./dialog.tsx")).Dialog);
 */
export function lazyDialog<Props extends Closing>(
  load: () => Promise<ComponentType<Props>>,
  { isOpen = () => true }: Options<Props> = {},
): readonly [ComponentType<Props>, () => void] {
  const loader = createLoader(load);

  const Content = (props: Props) => createElement(useLoaded(loader), props);

  const Shown = (props: Props) => (
    <PartBoundary
      placeholder={<Coming onClose={props.onClose} />}
      renderFault={(fault) => <Lost onClose={props.onClose}>{fault}</Lost>}
    >
      <Content {...props} />
    </PartBoundary>
  );

  const Later = (props: Props) => {
    const isNow = isOpen(props);
    const [wasOpen, setWasOpen] = useState(false);
    if (isNow && !wasOpen) {
      setWasOpen(true);
    }
    // Closed before it came: what is on its way does not open any more.
    return isNow || (wasOpen && loader.value() !== undefined) ? <Shown {...props} /> : null;
  };
  const prepare = (): void => void loader.prefetch();
  return [Later, prepare];
}

function Coming({ onClose }: Closing) {
  const { t } = useTranslation();
  useEscape(onClose);
  return (
    <Portal>
      <div className={classes["coming"]} role="status">
        <Loader size={14} aria-hidden />
        {t("state.loading")}
      </div>
    </Portal>
  );
}

function Lost({ onClose, children }: Closing & { children: ReactNode }) {
  const { t } = useTranslation();
  useEscape(onClose);
  return (
    <Portal>
      <div className={classes["lost"]}>
        {children}
        <CloseButton
          className={classes["close"] ?? ""}
          size="sm"
          aria-label={t("action.close")}
          onClick={onClose}
        />
      </div>
    </Portal>
  );
}

function useEscape(onClose: () => void): void {
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape") {
      onClose();
    }
  });
}
