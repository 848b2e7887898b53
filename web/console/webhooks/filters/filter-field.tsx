import { Chip, Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { PartBoundary } from "../../../components/error-boundary.tsx";
import { searched, toggled, wideFilters, type FilterNode } from "./filter-tree.ts";
import { TreeList } from "./tree-list.tsx";
import { useFilterSummary, useNodeWords } from "./filter-summary.ts";
import { useTree } from "./use-tree.ts";
import classes from "./filters.module.css";

type FilterFieldProps = Readonly<{
  value: readonly string[];
  onChange: (filters: string[]) => void;
  fault: ReactNode;
}>;

const AsText = lazyPart(async () => (await import("./filter-text-field.tsx")).FilterTextField);

/** Selects events: a tree with checkboxes, or the filters as text. */
export function FilterField({ value, onChange, fault: validationFault }: FilterFieldProps) {
  const { t } = useTranslation("webhooks");
  const [way, setWay] = useState("tree");
  const { tree, error: fault, refetch } = useTree();
  const filterSummary = useFilterSummary();
  const View = way === "tree" ? AsTree : AsText;
  return (
    <Stack gap="xs" role="group" aria-label={t("filter.label")}>
      <Group justify="space-between" gap="xs">
        <Wide value={value} onChange={onChange} />
        <SegmentedControl
          size="xs"
          aria-label={t("filter.way")}
          value={way}
          onChange={setWay}
          data={[
            { value: "tree", label: t("filter.as_tree") },
            { value: "text", label: t("filter.as_text") },
          ]}
        />
      </Group>
      {fault === null ? (
        <PartBoundary placeholder={<Skeleton height={90} />}>
          <View value={value} onChange={onChange} tree={tree} />
        </PartBoundary>
      ) : (
        <ErrorBox error={fault} onRetry={() => void refetch()} />
      )}
      {validationFault === undefined || validationFault === null ? null : (
        <Text size="sm" c="var(--bad)" role="alert">
          {validationFault}
        </Text>
      )}
      <Text size="sm" component="div" aria-live="polite">
        <strong>{t("filter.gets")}</strong> {tree.length === 0 ? "…" : filterSummary(value, tree)}
        {value.length === 0 ? null : (
          <div className={`mono ${classes["written"]}`}>{value.join(", ")}</div>
        )}
      </Text>
    </Stack>
  );
}

function AsTree({
  value,
  onChange,
  tree,
}: Omit<FilterFieldProps, "fault"> & { tree: readonly FilterNode[] }) {
  const { t } = useTranslation("webhooks");
  const [text, setText] = useState("");
  const words = useNodeWords();
  const shown = searched(tree, text, words);
  const list = { filters: value, wordsOf: words, isAllOpen: text.trim() !== "" };
  const onToggle = (node: FilterNode, isOn: boolean): void =>
    onChange(toggled(value, node, { isOn, tree }));
  const groups = [
    { key: "service", nodes: shown.filter(({ isOperational }) => !isOperational) },
    { key: "operational", nodes: shown.filter(({ isOperational }) => isOperational) },
  ] as const;
  return (
    <Stack gap="xs">
      <TextInput
        size="xs"
        aria-label={t("filter.search")}
        placeholder={t("filter.search")}
        leftSection={<IconSearch size={14} aria-hidden />}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className={classes["tree"]}>
        {groups.map(({ key, nodes }) =>
          nodes.length === 0 ? null : (
            <section key={key} aria-label={t(`filter.group.${key}`)}>
              <Text size="xs" c="dimmed" fw={600} px={6} pt={6}>
                {t(`filter.group.${key}`)}
              </Text>
              <TreeList nodes={nodes} onToggle={onToggle} {...list} />
            </section>
          ),
        )}
        {shown.length === 0 ? (
          <Text size="sm" c="dimmed" p="sm">
            {t("filter.none_found")}
          </Text>
        ) : null}
      </div>
    </Stack>
  );
}

/** Wildcard filters across objects. */
function Wide({ value, onChange }: Omit<FilterFieldProps, "fault">) {
  const { t } = useTranslation("webhooks");
  const set = (filter: string, isOn: boolean): void =>
    onChange(isOn ? [...value, filter] : value.filter((one) => one !== filter));
  return (
    <Group gap={6} role="group" aria-label={t("filter.wide")}>
      {wideFilters.map((filter) => (
        <Chip
          key={filter}
          size="xs"
          checked={value.includes(filter)}
          onChange={(isOn) => set(filter, isOn)}
        >
          {t(`filter.wide_of.${filter === "*" ? "all" : (filter.slice(2) as "create")}`)}{" "}
          <span className="mono">{filter}</span>
        </Chip>
      ))}
    </Group>
  );
}
