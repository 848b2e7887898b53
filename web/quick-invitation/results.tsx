import { Anchor, Button, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../base/i18n.ts";
import { CopyValueButton } from "../components/copy-button.tsx";
import { useProblemText } from "../components/problem-text.ts";
import { StateBadge } from "../components/state-badge.tsx";
import { postToParent } from "../shared/parent-frame.ts";
import classes from "./quick-invitation.module.css";
import type { Draft } from "./recipients.ts";
import { send, type Link, type Order, type Outcome } from "./sending.ts";

type ResultsProps = Readonly<{
  orders: readonly Order[];
  /** Returns to the form with these recipients. */
  onAgain: (drafts: readonly Draft[]) => void;
}>;

/** The result of each invitation with its links; failed ones can be retried separately. */
export function Results({ orders, onAgain }: ResultsProps) {
  const { t } = useTranslation("quick-invitation");
  const { outcomeOf, run } = useOutcomes(orders);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const failed = orders.filter((order) => outcomeOf(order).state === "failed");
  const done = orders.filter((order) => outcomeOf(order).state === "done").length;
  return (
    <Stack gap="md">
      <div>
        <Title order={1} ref={title} tabIndex={-1} className={classes["title"] ?? ""}>
          {t("result")}
        </Title>
        <Text size="sm" c="dimmed" role="status">
          {t("summary", { done, all: orders.length })}
        </Text>
      </div>
      <ul className={classes["results"]}>
        {orders.map((order) => (
          <Row
            key={order.key}
            order={order}
            outcome={outcomeOf(order)}
            onRetry={() => run([order])}
            onCorrect={() => onAgain(draftsOf(order))}
          />
        ))}
      </ul>
      <Group gap="xs">
        {failed.length < 2 ? null : (
          <Button variant="default" onClick={() => run(failed)}>
            {t("retry_all")}
          </Button>
        )}
        <Button variant={failed.length > 0 ? "default" : "filled"} onClick={() => onAgain([])}>
          {t("again")}
        </Button>
      </Group>
    </Stack>
  );
}

function useOutcomes(orders: readonly Order[]) {
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({});
  const isStarted = useRef(false);
  const run = (some: readonly Order[]): void => {
    const set = (order: Order, outcome: Outcome): void => {
      setOutcomes((known) => ({ ...known, [order.key]: outcome }));
      if (outcome.state === "done") {
        postToParent({ type: "invited", kind: order.service.kind, id: outcome.id });
      }
    };
    some.forEach((order) => set(order, { state: "waiting" }));
    void sendAll(some, set);
  };
  useEffect(() => {
    if (!isStarted.current) {
      isStarted.current = true; // StrictMode runs effects twice
      run(orders);
    }
  });
  return { outcomeOf: (order: Order) => outcomes[order.key] ?? { state: "waiting" as const }, run };
}

const atOnce = 4;

/** Sends orders with limited concurrency and reports each result. */
async function sendAll(
  orders: readonly Order[],
  onOutcome: (order: Order, outcome: Outcome) => void,
): Promise<void> {
  const waiting = [...orders];
  const work = async (): Promise<void> => {
    for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
      onOutcome(order, await send(order));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

type RowProps = Readonly<{
  order: Order;
  outcome: Outcome;
  onRetry: () => void;
  onCorrect: () => void;
}>;

function Row({ order, outcome, onRetry, onCorrect }: RowProps) {
  return (
    <li className={classes["result"]}>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <Text fw={600} size="sm" className={classes["who"] ?? ""}>
          {order.recipients.map(({ value }) => value).join(", ")}
        </Text>
        <State outcome={outcome} />
      </Group>
      {outcome.state === "done" ? (
        <ul className={classes["links"]}>
          {outcome.links.map((link) => (
            <LinkLine key={link.name} link={link} id={outcome.id} />
          ))}
        </ul>
      ) : null}
      {outcome.state === "failed" ? <Failure {...{ outcome, onRetry, onCorrect }} /> : null}
    </li>
  );
}

function State({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation("quick-invitation");
  switch (outcome.state) {
    case "waiting":
      return (
        <Group gap={6}>
          <Loader size={14} aria-hidden />
          <Text size="sm">{t("sending")}</Text>
        </Group>
      );
    case "done":
      return <StateBadge meaning="good">{t("sent")}</StateBadge>;
    case "failed":
      return <StateBadge meaning="bad">{t("failed")}</StateBadge>;
  }
}

function LinkLine({ link, id }: { link: Link; id: number }) {
  const { t } = useTranslation("quick-invitation");
  const name = t(`link.${link.name}`, { id });
  return (
    <li className={classes["link"]}>
      <span className={classes["link-name"]}>{name}</span>
      <Anchor href={link.url} target="_blank" rel="noopener" className={classes["url"] ?? ""}>
        {link.url.replace(/^https?:\/\//u, "")}
      </Anchor>
      <CopyValueButton value={link.url} name={name} />
    </li>
  );
}

function Failure({
  outcome,
  onRetry,
  onCorrect,
}: {
  outcome: Extract<Outcome, { state: "failed" }>;
  onRetry: () => void;
  onCorrect: () => void;
}) {
  const { t } = useTranslation("quick-invitation");
  const { title, text, requestId } = useProblemText()(outcome.problem);
  const { status } = outcome.problem;
  const [fault] = outcome.problem.errors;
  return (
    <Stack gap={6} align="flex-start">
      <Text size="sm">{[title, fault?.detail ?? text].filter(Boolean).join(" ")}</Text>
      {requestId === undefined ? null : (
        <Text size="xs" c="dimmed">
          {requestId}
        </Text>
      )}
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onRetry}>
          {t("retry")}
        </Button>
        {/* If the outcome is unknown, only a retry with the same idempotency key is safe. */}
        {status === 400 || status === 403 ? (
          <Button size="xs" variant="subtle" onClick={onCorrect}>
            {t("correct")}
          </Button>
        ) : null}
      </Group>
    </Stack>
  );
}

function draftsOf({ recipients }: Order): Draft[] {
  return recipients.map(({ text, kind }) => ({ text, as: kind }));
}
