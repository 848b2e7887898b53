import type { ReactNode } from "react";
import { useWords } from "../texts.ts";
import styles from "./screen.module.css";

export function Loading(): ReactNode {
  const { t } = useWords();
  return (
    <main className={styles.loading}>
      <span className={styles.spinner} aria-hidden />
      <p role="status">{t("loading")}</p>
    </main>
  );
}
