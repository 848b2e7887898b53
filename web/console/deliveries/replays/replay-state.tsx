import { useTranslation } from "../../../base/i18n.ts";
import type { Meaning } from "../../../components/meaning.ts";
import { StateBadge } from "../../../components/state-badge.tsx";
import type { Replay } from "../model.ts";

const meanings: Record<Replay["state"], Meaning> = {
  counting: "waiting",
  running: "waiting",
  paused: "warn",
  done: "good",
  cancelled: "neutral",
  failed: "bad",
};

export function ReplayState({ replay }: { replay: Replay }) {
  const { t } = useTranslation("deliveries");
  const isUnderWay = replay.state === "done" && replay.waiting > 0;
  return (
    <StateBadge meaning={isUnderWay ? "waiting" : meanings[replay.state]}>
      {t(isUnderWay ? "replay_state.sending" : `replay_state.${replay.state}`)}
    </StateBadge>
  );
}
