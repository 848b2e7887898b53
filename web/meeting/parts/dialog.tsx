import { IconX } from "@tabler/icons-react";
import { useEffect, useId, useRef, type ReactNode } from "react";
import { t } from "../texts.ts";
import styles from "./dialog.module.css";

export type DialogProps = Readonly<{
  title: string;
  /** Also with Escape and a click beside it. */
  onClose: () => void;
  children: ReactNode;
  /** The buttons. */
  actions?: ReactNode;
}>;

/** A modal dialog: the browser keeps the focus inside, and gives it back. */
export function Dialog({ title, onClose, children, actions }: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      opener?.focus(); // the browser does so only for a dialog that stays in the document
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Escape closes it, too
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) {
          onClose();
        }
      }}
    >
      <div className={styles.content}>
        <header className={styles.head}>
          <h2 id={titleId}>{title}</h2>
          <button
            type="button"
            className={styles.close}
            aria-label={t("close")}
            title={t("close")}
            onClick={onClose}
          >
            <IconX size={20} aria-hidden />
          </button>
        </header>
        {children}
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </div>
    </dialog>
  );
}
