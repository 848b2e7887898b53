import { Button, Group, Skeleton, Text, TextInput, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { PageHeader } from "../../../components/page-header.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { PartBoundary } from "../../../components/error-boundary.tsx";
import { SectionNav } from "../section-nav.tsx";
import { Answer } from "./answers.tsx";
import type { QuestionSearch } from "./explain-search.ts";
import { Reconcile } from "./reconcile.tsx";
import classes from "./explain.module.css";

/** Explains for a ticket or event what each webhook received, and why. */
export function ExplainPage() {
  const { t } = useTranslation("deliveries");
  const search = useSearch({ from: "/signed-in/dashboard/explain" });
  const navigate = useNavigate();
  const go = (next: QuestionSearch): void =>
    void navigate({ to: "/dashboard/explain", search: next });
  return (
    <>
      <PageHeader title={t("title")} />
      <SectionNav />
      <Part search={search} go={go} />
    </>
  );
}

function Part({ search, go }: AskProps) {
  const { t } = useTranslation("deliveries");
  if (search.part === "period") {
    return <Reconcile search={search} go={go} />;
  }
  if (search.part === "webhook") {
    return (
      <PartBoundary placeholder={<Skeleton height={120} />}>
        <WebhookPeriod search={search} go={go} />
      </PartBoundary>
    );
  }
  const isAsked = search.q !== undefined || search.objectId !== undefined;
  return (
    <>
      <Ask key={search.q} search={search} go={go} />
      {isAsked ? (
        <Answer key={JSON.stringify(search)} search={search} />
      ) : (
        <Text size="sm" c="dimmed" maw={620}>
          {t("explain.note")}
        </Text>
      )}
    </>
  );
}

const WebhookPeriod = lazyPart(async () => (await import("./webhook-period.tsx")).WebhookPeriod);

const OtherObject = lazyPart(async () => (await loadOtherObject()).OtherObject);

type AskProps = Readonly<{ search: QuestionSearch; go: (search: QuestionSearch) => void }>;

function Ask({ search, go }: AskProps) {
  const { t } = useTranslation("deliveries");
  const [text, setText] = useState(search.q ?? "");
  const [isOther, setOther] = useState(search.object !== undefined);
  return (
    <div className={classes["ask"]}>
      <form
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          const q = text.trim();
          if (q !== "") {
            go({ q });
          }
        }}
      >
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            className={classes["box"] ?? ""}
            label={t("explain.ask")}
            placeholder={t("explain.ask_hint")}
            value={text}
            maxLength={255}
            autoFocus
            onChange={(event) => setText(event.currentTarget.value)}
            leftSection={<IconSearch size={16} aria-hidden />}
          />
          <Button type="submit">{t("explain.do")}</Button>
        </Group>
      </form>
      <UnstyledButton
        className={classes["other"] ?? ""}
        aria-expanded={isOther}
        onPointerEnter={prepareOtherObject}
        onFocus={prepareOtherObject}
        onClick={() => setOther(!isOther)}
      >
        {t("explain.other")}
      </UnstyledButton>
      {isOther ? (
        <PartBoundary placeholder={<Skeleton height={60} />}>
          <OtherObject search={search} go={go} />
        </PartBoundary>
      ) : null}
    </div>
  );
}

function prepareOtherObject(): void {
  void loadOtherObject().catch(() => undefined);
}

function loadOtherObject() {
  return import("./other-object.tsx");
}
