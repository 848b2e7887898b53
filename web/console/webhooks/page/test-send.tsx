import { Alert, Button, Group, Select, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { failureOf } from "../../deliveries/story/advice.ts";
import { PhaseBar } from "../../deliveries/story/phase-bar.tsx";
import { useWords } from "../../deliveries/words.ts";
import { sendTest } from "../data.ts";
import { useNodeWords, useShortWords } from "../filters/gets-words.ts";
import { useTree } from "../filters/use-tree.ts";
import { Section } from "../section.tsx";
import classes from "./page.module.css";
import type { TestAnswer, Webhook } from "../types.ts";

const HeaderTable = ({ headers, label }: { headers: Record<string, string>; label: string }) => (
  <table className={classes["headers"]} aria-label={label}>
    <tbody>
      {Object.entries(headers).map(([name, value]) => (
        <tr key={name}>
          <th scope="row" className="mono">
            {name}
          </th>
          <td className="mono">{value}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

type Result = TestAnswer["result"];

const Outcome = ({ result }: { result: Result }) => {
  const { t } = useTranslation("webhooks");
  const words = useWords();
  const { code, error } = result;
  return (
    <Group gap="xs" role="status">
      <StateBadge meaning={failureOf(result) === undefined ? "good" : "bad"}>
        {code === null
          ? words.result({ last_code: null, last_error: error })
          : t("test.answered", { code })}
      </StateBadge>
      <Text size="sm">{formatDuration(result.ms)}</Text>
    </Group>
  );
};

/** Why nothing came back, as the story of a delivery tells it. */
const NoAnswer = ({ result }: { result: Result }) => {
  const { t } = useTranslation("deliveries");
  const failure = failureOf(result);
  return (
    <>
      {failure === undefined ? null : <Text size="sm">{t(`failure.${failure}.what`)}</Text>}
      {result.error_detail === null ? null : (
        <Text size="xs" c="dimmed" className="mono">
          {result.error_detail}
        </Text>
      )}
    </>
  );
};

/** What was sent beside what came back. */
const Answer = ({ answer }: { answer: TestAnswer }) => {
  const { t } = useTranslation("webhooks");
  const { sent, result } = answer;
  return (
    <Stack gap="xs">
      <Outcome result={result} />
      <div className={classes["answer"]}>
        <Stack gap="xs" component="section" aria-label={t("test.request")}>
          <Text fw={600} size="sm">
            {t("test.request")}
          </Text>
          <span className="mono">POST {sent.url}</span>
          <HeaderTable headers={sent.headers} label={t("test.request_headers")} />
          <JsonView text={sent.body} name={t("test.request_body")} />
        </Stack>
        <Stack gap="xs" component="section" aria-label={t("test.response")}>
          <Text fw={600} size="sm">
            {t("test.response")}
          </Text>
          <PhaseBar phases={result.phases} />
          {result.headers === null ? (
            <NoAnswer result={result} />
          ) : (
            <>
              <HeaderTable headers={result.headers} label={t("test.response_headers")} />
              <JsonView text={result.body ?? ""} name={t("test.response_body")} />
            </>
          )}
        </Stack>
      </div>
    </Stack>
  );
};

/** One filter for each kind of event there is, by object. */
const useSamples = () => {
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
};

const defaultSample = "ticket.update";

/** A request now, and the receiver's answer. */
export const TestSend = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useTranslation("webhooks");
  const samples = useSamples();
  const [filter, setFilter] = useState(defaultSample);
  const [event, setEvent] = useState("");
  const id = event.trim();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => sendTest(webhook.id, id === "" ? { filter } : { event: id }),
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
            onClick={() => mutate()}
          >
            {t("test.send")}
          </Button>
        </Group>
      )}
      {error === null ? null : <ErrorBox error={error} />}
      {data === undefined || error !== null ? null : (
        <Suspense fallback={<Skeleton height={160} />}>
          <Answer answer={data} />
        </Suspense>
      )}
    </Section>
  );
};
