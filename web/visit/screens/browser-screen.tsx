/** A browser that cannot make the call: how to open the page in one that can. */
import { useState, type ReactNode } from "react";
import { chromeIntentOf, detectBrowser } from "../browser-kind.ts";
import { canCall } from "../capabilities.ts";
import { useWords } from "../texts.ts";
import type { VisitControl } from "../use-visit.ts";
import { Button, Screen } from "./screen.tsx";
import styles from "./screen.module.css";

type Props = Readonly<{ visit: VisitControl; isInApp: boolean }>;

export function BrowserScreen({ visit, isInApp }: Props): ReactNode {
  const { t } = useWords();
  const isAndroid = detectBrowser(navigator).system === "android";
  return (
    <Screen
      title={t(isInApp ? "app_title" : "unsupported")}
      text={t(isInApp ? "app_text" : "unsupported_text")}
      actions={
        <>
          {isInApp && isAndroid ? (
            <a className={styles.button} data-main="" href={chromeIntentOf(location.href)}>
              {t("open_chrome")}
            </a>
          ) : null}
          <CopyButton isMain={!(isInApp && isAndroid)} />
          {isInApp && canCall() ? (
            <Button onPress={() => visit.go("consent")}>{t("try_here")}</Button>
          ) : null}
        </>
      }
    >
      <p className={styles.address}>{location.href}</p>
    </Screen>
  );
}

function CopyButton({ isMain }: Readonly<{ isMain: boolean }>): ReactNode {
  const { t } = useWords();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied(true);
    } catch {
      // The address is on the screen and can be selected.
    }
  };
  return (
    <>
      <Button isMain={isMain} onPress={() => void copy()}>
        {t("copy")}
      </Button>
      <p className={styles.note} role="status">
        {isCopied ? t("copied") : ""}
      </p>
    </>
  );
}
