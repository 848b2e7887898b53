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
  /**
   * For drawers with a closing animation: the component stays mounted after it first opened. By
   * default it is mounted only while open.
   */
  isOpen?: (props: Props) => boolean;
}>;

/**
 * A lazily loaded dialog or panel. Its chunk loads when it first opens, or earlier when `prepare`
 * is called. During loading and after a failure, an overlay shows the state; Escape closes it.
 *
 *     const [Dialog, prepareDialog] = lazyDialog(async () => (await import("./dialog.tsx")).Dialog);
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
    // If closed before its chunk arrived, it no longer opens.
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
