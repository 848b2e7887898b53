import {
  ActionIcon,
  Autocomplete,
  Button,
  NativeSelect,
  Stack,
  TagsInput,
  Text,
} from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import type { Field } from "./fields.ts";
import {
  isWrongKind,
  operators,
  takesList,
  takesNothing,
  type Operator,
  type Row,
} from "./rows.ts";
import classes from "./conditions.module.css";

type RowProps = Readonly<{
  row: Row;
  number: number;
  fields: readonly Field[];
  onChange: (row: Row) => void;
  onRemove: () => void;
}>;

type ConditionRowsProps = Readonly<{
  rows: readonly Row[];
  fields: readonly Field[];
  onChange: (rows: Row[]) => void;
}>;

/** One row per condition; all must hold. */
export function ConditionRows({ rows, fields, onChange }: ConditionRowsProps) {
  const { t } = useTranslation("webhooks");
  return (
    <Stack gap="xs" align="stretch">
      <Text size="xs" c="dimmed">
        {t("conditions.rows_help")}
      </Text>
      {rows.length === 0 ? null : (
        <ul className={classes["rows"]}>
          {rows.map((row, at) => (
            <ConditionRow
              key={at}
              row={row}
              number={at + 1}
              fields={fields}
              onChange={(next) => onChange(rows.map((one, place) => (place === at ? next : one)))}
              onRemove={() => onChange(rows.filter((_one, place) => place !== at))}
            />
          ))}
        </ul>
      )}
      <Button
        variant="default"
        size="xs"
        style={{ alignSelf: "flex-start" }}
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange([...rows, { field: "", operator: "eq", values: [] }])}
      >
        {t("conditions.add")}
      </Button>
    </Stack>
  );
}

function ConditionRow(props: RowProps) {
  const { row, number, fields, onChange, onRemove } = props;
  const { t } = useTranslation("webhooks");
  return (
    <li className={classes["row"]}>
      <Autocomplete
        size="xs"
        aria-label={t("conditions.field", { number })}
        placeholder={t("conditions.field_hint")}
        classNames={{ input: "mono" }}
        data={fields.map(({ path }) => path)}
        value={row.field}
        onChange={(field) => onChange({ ...row, field })}
      />
      <NativeSelect
        size="xs"
        aria-label={t("conditions.operator", { number })}
        data={operators.map((value) => ({ value, label: t(`conditions.op.${value}`) }))}
        value={row.operator}
        onChange={({ currentTarget }) =>
          onChange(withOperator(row, currentTarget.value as Operator))
        }
      />
      <Value {...props} />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t("conditions.drop", { number })}
        onClick={onRemove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  );
}

/** Keeps the values where the new operator accepts them. */
function withOperator(row: Row, operator: Operator): Row {
  const values = row.values.filter((value) => value !== "");
  return { ...row, operator, values: takesList(operator) ? values : values.slice(0, 1) };
}

function Value({ row, number, fields, onChange }: Omit<RowProps, "onRemove">) {
  const { t } = useTranslation("webhooks");
  const field = fields.find(({ path }) => path === row.field);
  const label = t("conditions.value", { number });
  const data = [...(field?.values ?? [])];
  const isWrong = isWrongKind(row, field?.kind ?? "any");
  const error = isWrong ? t("conditions.no_number") : undefined;
  if (takesNothing(row.operator)) {
    return <span />;
  }
  return takesList(row.operator) ? (
    <TagsInput
      size="xs"
      aria-label={label}
      data={data}
      value={[...row.values]}
      error={error}
      onChange={(values) => onChange({ ...row, values })}
    />
  ) : (
    <Autocomplete
      size="xs"
      aria-label={label}
      data={data}
      value={row.values[0] ?? ""}
      error={error}
      onChange={(value) => onChange({ ...row, values: [value] })}
    />
  );
}
