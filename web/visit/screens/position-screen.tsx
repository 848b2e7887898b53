import { useState, type ReactNode } from "react";
import type { Position } from "../../rooms/api.ts";
import { findPosition } from "../../rooms/find-position.ts";
import { useWords } from "../texts.ts";
import type { VisitControl } from "../use-visit.ts";
import { Button, Fault, Screen } from "./screen.tsx";

/** The location is read once, and only after the customer presses the button. */
export function PositionScreen({ visit }: Readonly<{ visit: VisitControl }>): ReactNode {
  const { t } = useWords();
  const [isMissing, setMissing] = useState(false);
  const { api, run, go, isBusy, hasFailed, position, link } = visit;
  const answer = async (found: Position | null): Promise<void> => {
    if (position !== undefined) {
      await api.answerPosition(position.id, found);
    }
    go("devices");
  };
  const share = async (): Promise<void> => {
    const found = await findPosition();
    if (typeof found === "string") {
      setMissing(true);
    } else {
      await answer(found);
    }
  };
  return (
    <Screen
      title={t("position_title")}
      text={t("position_text", { enterprise: link.enterprise_name })}
      actions={
        <>
          {isMissing ? <Fault>{t("position_failed")}</Fault> : null}
          {hasFailed ? <Fault>{t("failed_text")}</Fault> : null}
          <Button isMain isBusy={isBusy} onPress={() => void run(share)}>
            {t(labelOf(isBusy, isMissing))}
          </Button>
          <Button isBusy={isBusy} onPress={() => void run(() => answer(null))}>
            {t("position_skip")}
          </Button>
        </>
      }
    />
  );
}

function labelOf(isBusy: boolean, isMissing: boolean) {
  if (isBusy) {
    return "position_reading";
  }
  return isMissing ? "retry" : "position_share";
}
