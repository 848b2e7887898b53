import {
  Button,
  Group,
  Menu,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Textarea,
} from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { PartBoundary } from "../../../components/error-boundary.tsx";
import { conditionFields, type Field } from "../conditions/fields.ts";
import { queryOf, rowsOf, type Row } from "../conditions/rows.ts";
import { useConditionsFault } from "../conditions/use-conditions-fault.ts";
import { catalogueQuery } from "../data.ts";
import { parseConditions } from "./values.ts";
import type { WebhookForm } from "./use-webhook-form.ts";

const ConditionRows = lazyPart(
  async () => (await import("../conditions/condition-rows.tsx")).ConditionRows,
);

/** Conditions as rows, or as a query on the body. */
export function ConditionsField({ form }: { form: WebhookForm }) {
  const { t } = useTranslation("webhooks");
  const fields = useFields();
  const { rows, change } = useRows(form, fields);
  const [way, setWay] = useState("rows");
  const isJson = way === "json" || rows === undefined;
  return (
    <Stack gap="xs" role="group" aria-label={t("conditions.label")}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500} aria-hidden>
          {t("conditions.label")}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t("conditions.way")}
          value={isJson ? "json" : "rows"}
          onChange={setWay}
          data={[
            { value: "rows", label: t("conditions.as_rows"), disabled: rows === undefined },
            { value: "json", label: t("conditions.as_json") },
          ]}
        />
      </Group>
      {isJson ? (
        <AsJson form={form} />
      ) : (
        <PartBoundary placeholder={<Skeleton height={58} />}>
          <ConditionRows rows={rows} fields={fields} onChange={change} />
        </PartBoundary>
      )}
      {!isJson && form.errors["conditions"] !== undefined ? (
        <Text size="sm" c="var(--bad)" role="alert">
          {form.errors["conditions"]}
        </Text>
      ) : null}
      {isJson && rows === undefined && parseConditions(form.values.conditions) !== undefined ? (
        <Text size="xs" c="dimmed">
          {t("conditions.not_rows")}
        </Text>
      ) : null}
      <Foot form={form} />
    </Stack>
  );
}

function useFields(): readonly Field[] {
  const { data } = useQuery(catalogueQuery);
  return useMemo(
    () =>
      conditionFields(
        (data?.objects ?? []).map(({ object }) => object),
        (data?.eventTypes ?? []).map(({ eventType }) => eventType),
      ),
    [data],
  );
}

/** The rows of a text; undefined if it is invalid, or rows cannot represent it. */
function useRows(form: WebhookForm, fields: readonly Field[]) {
  const text = form.values.conditions;
  const kindOf = (path: string) => fields.find((field) => field.path === path)?.kind ?? "any";
  const [typed, setTyped] = useState<{ rows: readonly Row[]; text: string }>();
  const parsed = parseConditions(text);
  // Keeps typed rows, even incomplete ones.
  const rows =
    typed?.text === text ? typed.rows : parsed === undefined ? undefined : rowsOf(parsed, kindOf);
  const change = (next: readonly Row[]): void => {
    const query = queryOf(next, kindOf);
    const written = query === null ? "" : JSON.stringify(query, null, 2);
    setTyped({ rows: next, text: written });
    form.setFieldValue("conditions", written);
  };
  return { rows, change };
}

function AsJson({ form }: { form: WebhookForm }) {
  const { t } = useTranslation("webhooks");
  const fault = useConditionsFault()(form.values.conditions);
  return (
    <Textarea
      label={t("conditions.label")}
      description={t("conditions.help")}
      placeholder='{ "props.state": "done" }'
      autosize
      minRows={2}
      maxRows={14}
      spellCheck={false}
      classNames={{ input: "mono" }}
      {...form.getInputProps("conditions")}
      error={fault ?? form.errors["conditions"]}
    />
  );
}

const examples = [
  { key: "state", text: { "props.state": { $in: ["done", "closed"] } } },
  { key: "position", text: { "props.geoloc": { $exists: true } } },
  { key: "ticket", text: { "props._parent.name": "ticket" } },
  {
    key: "either",
    text: { $or: [{ event: "create" }, { "props.state": { $nin: ["new", "open"] } }] },
  },
] as const;

function Foot({ form }: { form: WebhookForm }) {
  const { t } = useTranslation("webhooks");
  const set = (text: object): void =>
    form.setFieldValue("conditions", JSON.stringify(text, null, 2));
  return (
    <Group gap="xs">
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="subtle"
            size="xs"
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t("conditions.examples")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {examples.map(({ key, text }) => (
            <Menu.Item key={key} onClick={() => set(text)}>
              {t(`conditions.example.${key}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {form.values.conditions.trim() === "" ? null : (
        <Button variant="subtle" size="xs" onClick={() => form.setFieldValue("conditions", "")}>
          {t("conditions.remove")}
        </Button>
      )}
    </Group>
  );
}
