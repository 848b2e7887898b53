import { useEffect, useRef, useState, type ReactNode } from "react";
import { ControlButton, type ControlButtonProps } from "./control-button.tsx";
import styles from "./popover.module.css";

export type PopoverProps = Readonly<{
  /** The button that opens it. */
  trigger: Omit<ControlButtonProps, "isExpanded" | "onPress">;
  children: (close: () => void) => ReactNode;
  align?: "center" | "end";
}>;

/** Buttons above a button. Escape, a click elsewhere, and leaving it with the keyboard close it. */
export function Popover({ trigger, children, align = "center" }: PopoverProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const close = (): void => setOpen(false);
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const onPointer = ({ target }: Event): void => {
      if (box.current?.contains(target as Node) === false) {
        setOpen(false);
      }
    };
    document.addEventListener("pointerdown", onPointer);
    return () => document.removeEventListener("pointerdown", onPointer);
  }, [isOpen]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to what is inside
    <div
      ref={box}
      className={styles.box}
      onKeyDown={(event) => {
        if (event.key === "Escape" && isOpen) {
          event.stopPropagation();
          close();
          box.current?.querySelector("button")?.focus();
        }
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget !== null && box.current?.contains(relatedTarget) === false) {
          close();
        }
      }}
    >
      <ControlButton {...trigger} isExpanded={isOpen} onPress={() => setOpen(!isOpen)} />
      {isOpen ? (
        <div className={styles.list} data-align={align}>
          {children(close)}
        </div>
      ) : null}
    </div>
  );
}

export type PopoverItemProps = Readonly<{
  icon: ReactNode;
  label: string;
  isDanger?: boolean;
  onPress: () => void;
}>;

export function PopoverItem({
  icon,
  label,
  isDanger = false,
  onPress,
}: PopoverItemProps): ReactNode {
  return (
    <button
      type="button"
      className={styles.item}
      data-danger={isDanger ? "" : undefined}
      onClick={onPress}
    >
      {icon}
      {label}
    </button>
  );
}
