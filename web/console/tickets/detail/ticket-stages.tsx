import { IconCheck, IconX } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import { isTicketState } from "../types.ts";
import classes from "./stages.module.css";
import { stagesOf, type StageView } from "./stages.ts";

/** The progress of the ticket. */
export function TicketStages({ state }: { state: string }) {
  const { t } = useTranslation("tickets");
  return isTicketState(state) ? (
    <ol className={classes["stages"]} aria-label={t("stage.title")}>
      {stagesOf(state).map((view) => (
        <li
          key={view.stage}
          data-progress={view.progress}
          data-ended={view.ended ?? undefined}
          aria-current={view.progress === "present" ? "step" : undefined}
        >
          <span className={classes["mark"]}>
            <Mark {...view} />
          </span>
          <span className={classes["name"]}>
            {view.ended === null ? t(`stage.${view.stage}`) : t(`state.${view.ended}`)}
          </span>
        </li>
      ))}
    </ol>
  ) : null;
}

function Mark({ progress, ended }: StageView) {
  if (ended !== null) {
    return <IconX size={13} stroke={2.4} aria-hidden />;
  }
  return progress === "past" ? <IconCheck size={13} stroke={2.4} aria-hidden /> : null;
}
