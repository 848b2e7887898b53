import { Text, UnstyledButton } from "@mantine/core";
import { IconBulb, IconChevronRight } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import type { Meaning } from "../../../components/meaning.ts";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { Attempt, DeliveryInFull } from "../model.ts";
import { useWords } from "../labels.ts";
import { addressOf } from "./address.ts";
import { failureOf } from "./failure-advice.ts";
import { CurlBox } from "./curl-box.tsx";
import { RequestResponse } from "./request-response.tsx";
import { PhaseBar } from "./phase-bar.tsx";
import classes from "./detail.module.css";

type AttemptProps = Readonly<{ delivery: DeliveryInFull; attempt: Attempt }>;

/** An attempt: a one-line result with expandable details. */
export function AttemptView(props: AttemptProps & { isOpenAtFirst: boolean }) {
  const { attempt, isOpenAtFirst } = props;
  const { t } = useTranslation("deliveries");
  const words = useWords();
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  const result = words.result({ last_code: attempt.code, last_error: attempt.error });
  return (
    <div className={classes["attempt"]}>
      <UnstyledButton
        className={classes["attempt-line"] ?? ""}
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        aria-controls={id}
      >
        <IconChevronRight
          size={15}
          className={classes["arrow"]}
          data-open={isOpen || undefined}
          aria-hidden
        />
        <span className={classes["number"]}>{t("attempt.number", { number: attempt.number })}</span>
        <StateBadge meaning={meaningOf(attempt)}>{result}</StateBadge>
        <span className={classes["duration"]}>{formatDuration(attempt.ms)}</span>
        <span className={classes["time"]}>
          <RelativeTime at={attempt.started} />
        </span>
      </UnstyledButton>
      <div id={id}>{isOpen ? <Details {...props} /> : null}</div>
    </div>
  );
}

function meaningOf(attempt: Attempt): Meaning {
  if (failureOf(attempt) === undefined) {
    return "good";
  }
  return attempt.counted ? "bad" : "warn";
}

function Details({ delivery, attempt }: AttemptProps) {
  const address = addressOf(delivery, attempt);
  return (
    <div className={classes["details"]}>
      <Advice attempt={attempt} />
      <PhaseBar phases={attempt.phases} />
      <RequestResponse delivery={delivery} attempt={attempt} address={address} />
      <CurlBox delivery={delivery} attempt={attempt} standing={address.standing} />
    </div>
  );
}

/** Explains a failure and what the receiver's operator can do about it. */
function Advice({ attempt }: { attempt: Attempt }) {
  const { t } = useTranslation("deliveries");
  const failure = failureOf(attempt);
  return failure === undefined ? null : (
    <div className={classes["advice"]}>
      <IconBulb size={18} aria-hidden />
      <div>
        <strong>{t(`failure.${failure}.what`, { code: attempt.code ?? "" })}</strong>
        <Text size="sm">{t(`failure.${failure}.do`)}</Text>
        {attempt.error_detail === null ? null : (
          <Text size="xs" c="dimmed" mt={4} className="mono">
            {attempt.error_detail}
          </Text>
        )}
      </div>
    </div>
  );
}
