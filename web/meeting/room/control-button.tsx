import type { ReactNode } from "react";
import styles from "./controls.module.css";

export type ControlButtonProps = Readonly<{
  label: string;
  icon: ReactNode;
  /** A device that is switched off. */
  isOff?: boolean;
  isPressed?: boolean;
  isExpanded?: boolean;
  isDanger?: boolean;
  count?: number;
  onPress: () => void;
}>;

/** A round button with a symbol. */
export function ControlButton(props: ControlButtonProps): ReactNode {
  const { label, icon, isOff = false, isPressed, isExpanded, isDanger = false, count = 0 } = props;
  return (
    <button
      type="button"
      className={styles.control}
      data-off={isOff ? "" : undefined}
      data-danger={isDanger ? "" : undefined}
      aria-label={label}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      title={label}
      onClick={props.onPress}
    >
      {icon}
      {count > 0 ? (
        <span className={styles.count} aria-hidden>
          {count > 99 ? "99+" : count}
        </span>
      ) : null}
    </button>
  );
}
