import type { ReactNode } from "react";
import styles from "./icon-button.module.css";

export type IconButtonProps = Readonly<{
  label: string;
  /** The icon. */
  children: ReactNode;
  onPress: () => void;
}>;

/** A round button without a frame. */
export function IconButton({ label, children, onPress }: IconButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={label}
      title={label}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
