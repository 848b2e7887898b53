import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useDebouncedValue, useMounted } from "@mantine/hooks";
import { IconFilterOff } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { asProblem } from "../../../base/problem.ts";
import { formatDuration, formatNumber } from "../../../base/format.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { SidePanel } from "../../../components/side-panel.tsx";
import { listOf } from "../log/search.ts";
import type { ReplayPreview } from "../model.ts";
import { counted } from "../labels.ts";
import {
  previewKeyOf,
  durationOf,
  firstFields,
  missingFieldOf,
  toReplayBody,
  type ReplayFields,
  type ReplaySearch,
} from "./criteria.ts";
import { useWebhookName } from "./criteria-words.ts";
import { PreviewBox } from "./preview-box.tsx";
import { replayQuery } from "./queries.ts";
import { ReplayForm } from "./replay-form.tsx";
import classes from "./replays.module.css";

type NewReplayProps = Readonly<{
  search: ReplaySearch;
  onClose: () => void;
  onMade: (replayId: number) => void;
}>;

/** The form for a new replay, with a preview of its effect. */
export function NewReplayPanel(props: NewReplayProps) {
  const { t } = useTranslation("deliveries");
  // Opens after mounting, so that the focus returns to the element that had it before.
  const isThere = useMounted();
  const isOpen = isThere && props.search.make !== undefined;
  return (
    <SidePanel isOpen={isOpen} onClose={props.onClose} title={<strong>{t("replay.new")}</strong>}>
      {isOpen ? <NewReplay {...props} /> : null}
    </SidePanel>
  );
}

/** From this number on, a confirmation is required. */
const large = 1_000;

function NewReplay({ search, onClose, onMade }: NewReplayProps) {
  const { t } = useTranslation("deliveries");
  const form = useForm<ReplayFields>({ initialValues: firstFields(search) });
  const [isAsked, setAsked] = useState(false);
  const preview = usePreview(form.values);
  const make = useMake(onMade);
  const sentence = useSentence(form.values, preview.data);
  const count = preview.data?.count;
  const isReady = preview.isSettled && preview.error === null && count !== undefined && count > 0;
  const action = count === undefined ? t("replay.do") : t("replay.start", counted(count));
  const start = (): void => {
    if (isReady && count >= large) {
      setAsked(true);
    } else if (isReady) {
      make.mutate(form.values);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
      noValidate
    >
      <Stack gap="md">
        <LeftOut names={listOf(search.left)} />
        <ReplayForm form={form} />
        <PreviewBox
          preview={preview.data}
          sentence={sentence}
          lack={missingFieldOf(form.values)}
          isSettled={preview.isSettled}
          error={preview.error}
        />
        {make.error === null ? null : <ErrorBox error={make.error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("base:action.cancel")}
          </Button>
          <Button type="submit" loading={make.isPending} disabled={!isReady}>
            {action}
          </Button>
        </Group>
      </Stack>
      <Confirm
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title={t("replay.large")}
        action={action}
        onConfirm={() => make.mutateAsync(form.values)}
      >
        {`${sentence}.`} {t("replay.large_note")}
      </Confirm>
    </form>
  );
}

/** Debounced preview of the form's values; never shows a stale count. */
function usePreview(fields: ReplayFields) {
  const [settled] = useDebouncedValue(fields, 350);
  const preview = useQuery({
    queryKey: ["deliveries", "replay-preview", previewKeyOf(settled)],
    queryFn: () =>
      call(
        api.POST("/api/webhooks/{webhookId}/replay/preview", {
          params: { path: { webhookId: Number(settled.webhook) } },
          body: toReplayBody({ ...settled, rate: 50 }),
        }),
      ),
    enabled: missingFieldOf(settled) === undefined,
    // An enterprise may run two previews at once, so retry on 429.
    retry: (failures, thrown) => failures < 5 && asProblem(thrown).status === 429,
    retryDelay: 1_000,
    staleTime: 0,
  });
  const isOfThese =
    previewKeyOf(settled) === previewKeyOf(fields) && missingFieldOf(fields) === undefined;
  return {
    data: isOfThese ? preview.data : undefined,
    error: isOfThese ? preview.error : null,
    isSettled: isOfThese && !preview.isFetching,
  };
}

function useMake(onMade: (replayId: number) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (fields: ReplayFields) =>
      call(
        api.POST("/api/webhooks/{webhookId}/replay", {
          params: { path: { webhookId: Number(fields.webhook) } },
          body: toReplayBody(fields),
        }),
      ),
    onSuccess: async (made) => {
      queries.setQueryData(replayQuery(made.id).queryKey, made);
      await queries.invalidateQueries({ queryKey: ["deliveries", "replays"] });
      onMade(made.id);
    },
  });
}

/** Describes the effect in numbers once the preview has loaded. */
function useSentence(fields: ReplayFields, preview: ReplayPreview | undefined): string {
  const { t } = useTranslation("deliveries");
  const name = useWebhookName();
  const count = preview?.count ?? 0;
  return t(preview?.exact === false ? "replay.will_more" : "replay.will", {
    ...counted(count),
    webhook: name(Number(fields.webhook)),
    rate: formatNumber(fields.rate),
    time: formatDuration(durationOf(count, fields.rate)),
  });
}

/** Warns about unsupported filters of the log: the replay would include more than was shown. */
function LeftOut({ names }: { names: readonly string[] }) {
  const { t } = useTranslation("deliveries");
  const known = ["webhook", "status", "result", "event", "about", "text", "replay"] as const;
  const labels = known.filter((name) => names.includes(name)).map((name) => t(`filter.${name}`));
  return labels.length === 0 ? null : (
    <div className={classes["left-out"]} role="note">
      <IconFilterOff size={18} aria-hidden />
      {t("replay.left_out", { names: labels.join(", ") })}
    </div>
  );
}
