import { Alert, Button, Group, Select, Skeleton, TextInput } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { PartBoundary } from "../../../components/error-boundary.tsx";
import { sendTest } from "../data.ts";
import { useNodeWords, useShortWords } from "../filters/filter-summary.ts";
import { useTree } from "../filters/use-tree.ts";
import { Section } from "../section.tsx";
import type { Webhook } from "../types.ts";

const Answer = lazyPart(async () => (await load()).Answer);

const defaultSample = "ticket.update";

/** Sends a test request and shows the response. */
export function TestSend({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const samples = useSamples();
  const [filter, setFilter] = useState(defaultSample);
  const [event, setEvent] = useState("");
  const id = event.trim();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => sendTest(webhook.id, id === "" ? { filter } : { event_id: id }),
  });
  return (
    <Section title={t("test.title")} note={t("test.note")}>
      {webhook.url === null ? (
        <Alert role="note">{t("test.no_url")}</Alert>
      ) : (
        <Group align="flex-end" gap="sm">
          <Select
            searchable
            label={t("test.sample")}
            data={samples}
            value={filter}
            disabled={id !== ""}
            w={{ base: "100%", sm: 360 }}
            onChange={(next) => setFilter(next ?? defaultSample)}
          />
          <TextInput
            label={t("test.event")}
            placeholder="evt_…"
            value={event}
            w={{ base: "100%", sm: 300 }}
            classNames={{ input: "mono" }}
            onChange={({ currentTarget }) => setEvent(currentTarget.value)}
          />
          <Button
            loading={isPending}
            leftSection={<IconSend size={16} aria-hidden />}
            onPointerEnter={prepare}
            onFocus={prepare}
            onClick={() => mutate()}
          >
            {t("test.send")}
          </Button>
        </Group>
      )}
      {error === null ? null : <ErrorBox error={error} />}
      {data === undefined || error !== null ? null : (
        <PartBoundary placeholder={<Skeleton height={160} />}>
          <Answer answer={data} />
        </PartBoundary>
      )}
    </Section>
  );
}

/** One sample filter per event kind, by object. */
function useSamples() {
  const { tree } = useTree();
  const words = useNodeWords();
  const shortWords = useShortWords();
  return tree.map((node) => ({
    group: words(node),
    items: node.children
      .flatMap((event) => (event.children.length === 0 ? [event] : event.children))
      .map((event) => ({
        value: event.filter,
        label: `${shortWords(event)} (${event.eventType ?? event.filter})`,
      })),
  }));
}

function prepare(): void {
  void load().catch(() => undefined);
}

function load() {
  return import("./test-answer.tsx");
}
