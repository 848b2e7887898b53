import { Button, CloseButton, Text } from "@mantine/core";
import { IconPlayerTrackNext, IconRepeat } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useMay } from "../../session.ts";
import { counted } from "../labels.ts";
import type { ActionName, Step } from "./selection-dialog.tsx";
import { mostSelected, replayable, retryable } from "./selection.ts";
import type { Selecting } from "./use-selection.ts";
import classes from "./log-page.module.css";

const [SelectionDialog, prepareDialog] = lazyDialog(
  async () => (await import("./selection-dialog.tsx")).SelectionDialog,
);

/** Bulk actions; replaces the count while rows are selected. */
export function SelectionBar({ selecting }: { selecting: Selecting }) {
  const { t } = useTranslation("deliveries");
  const mayWrite = useMay("webhooks.write");
  const [step, setStep] = useState<Step>();
  const { size } = selecting.selection;
  const showOutcome = (ended: Extract<Step, { is: "ended" }>): void => {
    const { done, refused } = ended.outcome;
    selecting.clear();
    setStep(refused.length > 0 ? ended : undefined);
    if (refused.length === 0) {
      showDone(t(`select.${ended.name}_done`, counted(done)));
    }
  };
  /** The confirmation closes after its action; the result stays. */
  const close = (): void => setStep((now) => (now === step ? undefined : now));
  return (
    <>
      {size === 0 ? null : (
        <div className={classes["selection"]} role="group" aria-label={t("select.title")}>
          <Text size="xs" fw={500} role="status">
            {t(size >= mostSelected ? "select.most" : "select.count", counted(size))}
          </Text>
          {mayWrite ? <Action name="retry" selecting={selecting} onAsk={setStep} /> : null}
          {mayWrite ? <Action name="replay" selecting={selecting} onAsk={setStep} /> : null}
          <CloseButton size="xs" aria-label={t("select.clear")} onClick={selecting.clear} />
        </div>
      )}
      {step === undefined ? null : (
        <SelectionDialog step={step} onEnded={showOutcome} onClose={close} />
      )}
    </>
  );
}

/** The bulk actions, and the deliveries to which each applies. */
const actions = {
  retry: { icon: IconPlayerTrackNext, idsOf: retryable },
  replay: { icon: IconRepeat, idsOf: replayable },
} as const;

type ActionProps = Readonly<{
  name: ActionName;
  selecting: Selecting;
  onAsk: (step: Step) => void;
}>;

function Action({ name, selecting, onAsk }: ActionProps) {
  const { t } = useTranslation("deliveries");
  const { icon: Picture, idsOf } = actions[name];
  const ids = idsOf(selecting.selection);
  const left = selecting.selection.size - ids.length;
  return (
    <Button
      size="compact-sm"
      variant={name === "replay" ? "default" : "filled"}
      leftSection={<Picture size={14} aria-hidden />}
      disabled={ids.length === 0}
      onPointerEnter={prepareDialog}
      onFocus={prepareDialog}
      onClick={() => onAsk({ is: "asked", name, ids, left })}
    >
      {t(`select.${name}`)}
    </Button>
  );
}
