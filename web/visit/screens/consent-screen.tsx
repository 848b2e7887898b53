/** Nothing is switched on before this: terms, privacy, and the notice of recording. */
import { useEffect, useId, useState, type ReactNode } from "react";
import { useWords } from "../texts.ts";
import type { VisitControl } from "../use-visit.ts";
import styles from "./consent-screen.module.css";
import { Button, Fault, Screen } from "./screen.tsx";

/** Stored with the consent. It changes with the texts `terms`, `privacy` and `recording_notice`. */
const textVersion = "2026-11";

export function ConsentScreen({ visit }: Readonly<{ visit: VisitControl }>): ReactNode {
  const { t, language } = useWords();
  const [hasTerms, setTerms] = useState(false);
  const [hasPrivacy, setPrivacy] = useState(false);
  const [isReminded, setReminded] = useState(false);
  const { api, run, go, isBusy, hasFailed, link } = visit;
  const { enterprise_name: enterprise } = link;
  useEffect(loadRoomParts, []);
  const agree = (): void => {
    if (!hasTerms || !hasPrivacy) {
      setReminded(true);
      return;
    }
    void run(async () => {
      const { position_request: position } = await api.consent({ textVersion, language });
      go(position === null ? "devices" : "position", position ?? undefined);
    });
  };
  return (
    <Screen
      title={t("consent_title")}
      text={t("consent_text")}
      actions={
        <>
          {isReminded && !(hasTerms && hasPrivacy) ? <Fault>{t("agree_both")}</Fault> : null}
          {hasFailed ? <Fault>{t("failed_text")}</Fault> : null}
          <Button isMain isBusy={isBusy} onPress={agree}>
            {t("agree")}
          </Button>
          <Button onPress={() => go("decline")}>{t("decline")}</Button>
        </>
      }
    >
      <Agreement
        label={t("terms")}
        summary={t("terms_read")}
        isChecked={hasTerms}
        onChange={setTerms}
      >
        {t("terms_text")}
      </Agreement>
      <Agreement
        label={t("privacy")}
        summary={t("privacy_read")}
        isChecked={hasPrivacy}
        onChange={setPrivacy}
      >
        {t("privacy_text", { enterprise })}
      </Agreement>
      <p className={styles.notice}>{t("recording_notice")}</p>
    </Screen>
  );
}

/** While the customer reads. What does not load is asked for again when it is needed. */
function loadRoomParts(): void {
  import("../room/devices-screen.tsx").catch(() => undefined);
  import("../../rooms/create-room.ts").catch(() => undefined);
}

type AgreementProps = Readonly<{
  label: string;
  summary: string;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  children: ReactNode;
}>;

function Agreement({ label, summary, isChecked, onChange, children }: AgreementProps): ReactNode {
  const id = useId();
  return (
    <div className={styles.agreement}>
      <label className={styles.choice} htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={isChecked}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>{label}</span>
      </label>
      <details className={styles.details}>
        <summary>{summary}</summary>
        <p>{children}</p>
      </details>
    </div>
  );
}
