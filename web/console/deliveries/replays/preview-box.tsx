import { Paper, Text } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import type { ReplayPreview } from "../model.ts";
import { counted } from "../labels.ts";
import classes from "./replays.module.css";

type PreviewBoxProps = Readonly<{
  preview: ReplayPreview | undefined;
  /** Describes the effect, in numbers. */
  sentence: string;
  /** The missing required field that prevents the preview. */
  lack: "webhook" | "status" | undefined;
  /** Whether the preview matches the current values. */
  isSettled: boolean;
  error: unknown;
}>;

/** The preview of a replay. */
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
