import { Button, Group } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { useMay } from "../../session.ts";
import type { Replay } from "../model.ts";
import { counted } from "../labels.ts";
import { canCancel, useMove } from "./queries.ts";

/** Pause, resume and cancel, depending on state and permission. */
export function ReplayActions({ replay }: { replay: Replay }) {
  const { t } = useTranslation("deliveries");
  const mayWrite = useMay("webhooks.write");
  const move = useMove(replay.id);
  const [isAsked, setAsked] = useState(false);
  if (!mayWrite || !canCancel(replay)) {
    return null;
  }
  const count = unsent(replay);
  return (
    <Group gap="xs">
      <PauseOrResume replay={replay} move={move} />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconX size={14} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        {t("replay.cancel")}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={t("replay.cancel_title", { id: replay.id })}
        action={t("replay.cancel_do")}
        keep={t("replay.keep")}
        isDangerous
        onConfirm={() => move.mutateAsync("cancel")}
      >
        {t("replay.cancel_note", counted(count))}
      </Confirm>
    </Group>
  );
}

/** Number of deliveries that a cancel prevents. */
function unsent({ total, made, waiting }: Replay): number {
  return Math.max(0, (total ?? 0) - made) + waiting;
}

function PauseOrResume({ replay, move }: { replay: Replay; move: ReturnType<typeof useMove> }) {
  const { t } = useTranslation("deliveries");
  const action = { running: "pause", paused: "resume" }[replay.state as string];
  if (action !== "pause" && action !== "resume") {
    return null;
  }
  const Picture = action === "pause" ? IconPlayerPause : IconPlayerPlay;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Picture size={14} aria-hidden />}
      loading={move.isPending}
      onClick={() => move.mutate(action)}
    >
      {t(`replay.${action}`)}
    </Button>
  );
}
