import { useEffect, useRef, type ReactNode } from "react";
import styles from "./page-frame.module.css";

/** A screen outside of the room. Its heading takes the focus, so that it is read out. */
export function PageFrame(
  props: Readonly<{ title: string; eyebrow?: ReactNode; isWide?: boolean; children: ReactNode }>,
): ReactNode {
  const { title, eyebrow, isWide = false, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main className={styles.page}>
      <div className={styles.card} data-wide={isWide ? "" : undefined}>
        <header className={styles.head}>
          {eyebrow}
          <h1 ref={heading} tabIndex={-1} className={styles.title}>
            {title}
          </h1>
        </header>
        {children}
      </div>
    </main>
  );
}

export function Text({ children }: Readonly<{ children: ReactNode }>): ReactNode {
  return <p className={styles.text}>{children}</p>;
}

export function Actions({ children }: Readonly<{ children: ReactNode }>): ReactNode {
  return <div className={styles.actions}>{children}</div>;
}
