import { CloseButton, Loader, Portal } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { lazy, useState, type ComponentType, type ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./later.module.css";
import { Part } from "./part.tsx";

type Closing = Readonly<{ onClose: () => void }>;

const useEscape = (onClose: () => void): void =>
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape") {
      onClose();
    }
  });

const Coming = ({ onClose }: Closing) => {
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
};

const Lost = ({ onClose, children }: Closing & { children: ReactNode }) => {
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
};

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
export const later = <Props extends Closing>(
  load: () => Promise<ComponentType<Props>>,
  { isOpen = () => true }: Options<Props> = {},
): readonly [ComponentType<Props>, () => void] => {
  let loaded: ComponentType<Props> | undefined;
  const get = async (): Promise<ComponentType<Props>> => (loaded ??= await load());

  const Shown = (props: Props) => {
    // The same as long as it is shown: with another one it would begin anew. Its own, since React keeps
    // for ever what failed, of which the next one that is opened may be had.
    const [Content] = useState(
      () => loaded ?? (lazy(async () => ({ default: await get() })) as ComponentType<Props>),
    );
    return (
      <Part
        placeholder={<Coming onClose={props.onClose} />}
        renderFault={(fault) => <Lost onClose={props.onClose}>{fault}</Lost>}
      >
        <Content {...props} />
      </Part>
    );
  };

  const Later = (props: Props) => {
    const isNow = isOpen(props);
    const [wasOpen, setWasOpen] = useState(false);
    if (isNow && !wasOpen) {
      setWasOpen(true);
    }
    // Closed before it came: what is on its way does not open any more.
    return isNow || (wasOpen && loaded !== undefined) ? <Shown {...props} /> : null;
  };
  // Whoever asks for it then tries again, and is told.
  const prepare = (): void => void get().catch(() => undefined);
  return [Later, prepare];
};
