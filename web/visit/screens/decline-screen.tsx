import type { ReactNode } from "react";
import { useWords } from "../texts.ts";
import type { VisitControl } from "../use-visit.ts";
import { Button, Fault, Screen } from "./screen.tsx";

/** Asks once: a slip of the thumb declines nothing. */
export function DeclineScreen({ visit }: Readonly<{ visit: VisitControl }>): ReactNode {
  const { t } = useWords();
  const { api, run, go, isBusy, hasFailed, who } = visit;
  const decline = async (): Promise<void> => {
    await api.decline();
    go("declined");
  };
  return (
    <Screen
      title={t("decline_title")}
      text={t("decline_text", { who })}
      actions={
        <>
          {hasFailed ? <Fault>{t("failed_text")}</Fault> : null}
          <Button isMain isBusy={isBusy} onPress={() => void run(decline)}>
            {t("decline_yes")}
          </Button>
          <Button onPress={() => go("welcome")}>{t("back")}</Button>
        </>
      }
    />
  );
}
