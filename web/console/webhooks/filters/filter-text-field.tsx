import { TagsInput } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { wideFilters, type FilterNode } from "./filter-tree.ts";

type AsTextProps = Readonly<{
  value: readonly string[];
  onChange: (filters: string[]) => void;
  tree: readonly FilterNode[];
}>;

/** The filters as text, in the API's syntax. */
export function FilterTextField({ value, onChange, tree }: AsTextProps) {
  const { t } = useTranslation("webhooks");
  const known = [
    ...wideFilters,
    ...tree.flatMap((node) => [
      node.filter,
      ...node.children.flatMap((event) => [event.filter, ...event.children.map((n) => n.filter)]),
    ]),
  ];
  return (
    <TagsInput
      label={t("filter.text_label")}
      description={t("filter.text_help")}
      value={[...value]}
      onChange={onChange}
      data={known}
      limit={12}
      splitChars={[",", " ", "\n"]}
      maxTags={100}
      clearable
      classNames={{ pill: "mono" }}
    />
  );
}
