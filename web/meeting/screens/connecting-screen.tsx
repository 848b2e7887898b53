import type { ReactNode } from "react";
import { t } from "../texts.ts";
import styles from "./connecting-screen.module.css";

export function ConnectingScreen(): ReactNode {
  return (
    <main className={styles.page} role="status">
      <span className={styles.spinner} aria-hidden />
      <h1 className={styles.title}>{t("connecting")}</h1>
    </main>
  );
}
