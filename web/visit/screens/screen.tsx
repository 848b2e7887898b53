/** The frame of all screens but the call: a heading, one sentence, and buttons within thumb reach. */
import { useEffect, useRef, type ReactNode } from "react";
import styles from "./screen.module.css";

export type ScreenProps = Readonly<{
  title: string;
  text?: string | undefined;
  /** Above the title: the enterprise, or an icon. */
  above?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** In the middle of the screen: for what only has to be read. */
  isCentered?: boolean;
}>;

export function Screen(props: ScreenProps): ReactNode {
  const { title, text, above, children, actions, isCentered = false } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [title]);
  return (
    <main className={styles.page} data-centered={isCentered ? "" : undefined}>
      <div className={styles.content}>
        {above}
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {title}
        </h1>
        {text === undefined ? null : <p className={styles.text}>{text}</p>}
        {children}
      </div>
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </main>
  );
}

export type ButtonProps = Readonly<{
  children: ReactNode;
  isMain?: boolean;
  isBusy?: boolean;
  onPress: () => void;
}>;

export function Button({ children, isMain = false, isBusy, onPress }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={styles.button}
      data-main={isMain ? "" : undefined}
      aria-disabled={isBusy === true}
      onClick={() => {
        if (isBusy !== true) {
          onPress();
        }
      }}
    >
      {children}
    </button>
  );
}

/** The error, announced immediately. */
export function Fault({ children }: Readonly<{ children: ReactNode }>): ReactNode {
  return (
    <p className={styles.fault} role="alert">
      {children}
    </p>
  );
}
