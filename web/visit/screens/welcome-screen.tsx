/** Who calls and why. */
import type { ReactNode } from "react";
import { detectBrowser } from "../browser-kind.ts";
import { canCall } from "../capabilities.ts";
import { chooseLanguage, languageNames, type Language } from "../../shared/customer-language.ts";
import { useWords } from "../texts.ts";
import type { VisitControl } from "../use-visit.ts";
import type { Screen as ScreenName } from "../visit-screen.ts";
import styles from "./welcome-screen.module.css";
import { Button, Screen } from "./screen.tsx";

type Props = Readonly<{ visit: VisitControl; onLanguage: (language: Language) => void }>;

export function WelcomeScreen({ visit, onLanguage }: Props): ReactNode {
  const { t } = useWords();
  const { link, who, go } = visit;
  return (
    <Screen
      title={t("invites", { who })}
      text={t("welcome_text")}
      above={<p className={styles.enterprise}>{link.enterprise_name}</p>}
      actions={
        <>
          <Button isMain onPress={() => go(screenAfterWelcome())}>
            {t("start")}
          </Button>
          {link.state === "invited" ? (
            <Button onPress={() => go("decline")}>{t("decline")}</Button>
          ) : null}
        </>
      }
    >
      <dl className={styles.facts}>
        <Fact name={t("service")} value={link.service_name} />
        <Fact name={t("subject")} value={link.subject ?? ""} />
      </dl>
      <Languages onLanguage={onLanguage} />
    </Screen>
  );
}

function screenAfterWelcome(): ScreenName {
  if (detectBrowser(navigator).isInApp) {
    return "in-app";
  }
  return canCall() ? "consent" : "unsupported";
}

function Fact({ name, value }: Readonly<{ name: string; value: string }>): ReactNode {
  return value === "" ? null : (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Languages({ onLanguage }: Pick<Props, "onLanguage">): ReactNode {
  const { t, language } = useWords();
  return (
    <label className={styles.languages}>
      {t("language")}
      <select
        value={language}
        onChange={({ target }) => onLanguage(chooseLanguage([target.value]))}
      >
        {languageNames.map(([tag, name]) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
