import { Paper, Text } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import type { ReplayPreview } from "../model.ts";
import { counted } from "../labels.ts";
import classes from "./replays.module.css";

type PreviewBoxProps = Readonly<{
  preview: ReplayPreview | undefined;
  /** What will happen, in numbers. */
  sentence: string;
  /** What nobody chose yet, so that nothing is counted. */
  lack: "webhook" | "status" | undefined;
  /** Whether what is shown was counted for what the fields say now. */
  isSettled: boolean;
  error: unknown;
}>;

/** What a replay would do, before anything is done. */
export function PreviewBox({ preview, sentence, lack, isSettled, error }: PreviewBoxProps) {
  const { t } = useTranslation("deliveries");
  if (error !== null && isSettled) {
    return <ErrorBox error={error} />;
  }
  return (
    <Paper
      withBorder
      p="sm"
      role="status"
      aria-busy={lack === undefined && !isSettled}
      className={classes["preview"] ?? ""}
      data-stale={!isSettled || undefined}
    >
      {preview === undefined ? (
        <Text size="sm" c="dimmed">
          {t(lack === undefined ? "replay.counting" : `replay.lack.${lack}`)}
        </Text>
      ) : (
        <Counted preview={preview} sentence={sentence} />
      )}
    </Paper>
  );
}

function Counted({
  preview,
  sentence,
}: Pick<PreviewBoxProps, "sentence"> & { preview: ReplayPreview }) {
  const { t } = useTranslation("deliveries");
  const { count, skipped, oldest, newest } = preview;
  return (
    <>
      <Text fw={600}>{count === 0 ? t("replay.nothing") : sentence}</Text>
      {oldest === null || newest === null ? null : (
        <Text size="sm" c="dimmed">
          {t("replay.oldest")} <RelativeTime at={oldest} /> · {t("replay.newest")}{" "}
          <RelativeTime at={newest} />
        </Text>
      )}
      {skipped === 0 ? null : (
        <Text size="sm" c="dimmed">
          {t("replay.will_skip", counted(skipped))}
        </Text>
      )}
    </>
  );
}
