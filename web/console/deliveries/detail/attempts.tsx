import { Text } from "@mantine/core";
import { IconCircleCheck, IconCircleX, IconClock, IconSend } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import type { Attempt, DeliveryInFull } from "../model.ts";
import { AttemptView } from "./attempt.tsx";
import { DetailSection } from "./detail-section.tsx";
import classes from "./detail.module.css";

/** All attempts with the pauses between them; the last one is expanded. */
export function AttemptsSection({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation("deliveries");
  const { attempts } = delivery;
  const last = attempts.at(-1);
  if (last === undefined) {
    return (
      <DetailSection icon={IconSend} title={t("attempt.none")}>
        <Text size="sm" c="dimmed">
          {t(delivery.attempt_count > 0 ? "attempt.not_kept" : "attempt.none_note")}
        </Text>
      </DetailSection>
    );
  }
  return (
    <DetailSection
      icon={isFine(last) ? IconCircleCheck : IconCircleX}
      meaning={isFine(last) ? "good" : "bad"}
      title={t("attempt.title", { count: attempts.length })}
    >
      {attempts.map((attempt, index) => {
        const pause = pauseBefore(attempt, attempts[index - 1]);
        return (
          <div key={`${attempt.number}-${attempt.started}`}>
            {pause === undefined ? null : <Pause ms={pause} />}
            <AttemptView delivery={delivery} attempt={attempt} isOpenAtFirst={attempt === last} />
          </div>
        );
      })}
    </DetailSection>
  );
}

function isFine({ code }: Attempt): boolean {
  return code !== null && code >= 200 && code < 300;
}

/** Milliseconds between the end of one attempt and the start of the next. */
function pauseBefore(attempt: Attempt, before: Attempt | undefined): number | undefined {
  return before === undefined
    ? undefined
    : Math.max(
        0,
        new Date(attempt.started).getTime() - new Date(before.started).getTime() - before.ms,
      );
}

function Pause({ ms }: { ms: number }) {
  const { t } = useTranslation("deliveries");
  return (
    <div className={classes["pause"]}>
      <IconClock size={13} aria-hidden />
      {t("attempt.waited", { time: formatDuration(ms) })}
    </div>
  );
}
