import { IconX } from "@tabler/icons-react";
import { useEffect, useId, useRef, type ReactNode } from "react";
import styles from "./dialog.module.css";
import { IconButton } from "./icon-button.tsx";

export type DialogProps = Readonly<{
  title: string;
  /** Also with Escape and a click beside it. Undefined: it has to be answered. */
  onClose?: () => void;
  /** Of the button that closes it; undefined: there is none. */
  closeLabel?: string;
  /** A question that interrupts. */
  isAlert?: boolean;
  children?: ReactNode;
  /** The buttons. */
  actions?: ReactNode;
}>;

/** A modal dialog: the browser keeps the focus inside, and gives it back. On a phone it is a sheet. */
export function Dialog(props: DialogProps): ReactNode {
  const { title, onClose, closeLabel, isAlert = false, children, actions } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    const element = dialog.current;
    show(element);
    heading.current?.focus({ preventScroll: true });
    return () => {
      (element as Partial<HTMLDialogElement> | null)?.close?.();
      opener?.focus(); // the browser does so only for a dialog that stays in the document
    };
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- listens to what is inside
    <dialog
      ref={dialog}
      className={styles.dialog}
      role={isAlert ? "alertdialog" : undefined}
      aria-modal
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // A browser closes it all the same when Escape is pressed twice.
      onClose={() => show(dialog.current)}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation(); // it closes nothing else
          if (!hasModals(event.currentTarget)) {
            onClose?.();
          }
        }
      }}
      onClick={(event) => {
        if (event.target === dialog.current) {
          onClose?.();
        }
      }}
    >
      <div className={styles.content}>
        <header className={styles.head}>
          <h2 id={titleId} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {closeLabel === undefined ? null : (
            <IconButton label={closeLabel} onPress={() => onClose?.()}>
              <IconX size={20} aria-hidden />
            </IconButton>
          )}
        </header>
        {children}
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </div>
    </dialog>
  );
}

/** Firefox before 98 and Safari before 15.4 have no dialogs: there the style sheet places it. */
function show(element: HTMLDialogElement | null): void {
  if (element === null || !hasModals(element)) {
    element?.setAttribute("open", "");
  } else if (element.isConnected && !element.open) {
    element.showModal();
  }
}

function hasModals(element: HTMLElement): boolean {
  return "showModal" in element;
}
