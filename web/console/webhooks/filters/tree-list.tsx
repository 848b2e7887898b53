import { ActionIcon, Badge, Checkbox } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { checkedOf, type FilterNode } from "./filter-tree.ts";
import classes from "./filters.module.css";

type TreeListProps = Readonly<{
  nodes: readonly FilterNode[];
  filters: readonly string[];
  wordsOf: (node: FilterNode) => string;
  onToggle: (node: FilterNode, isOn: boolean) => void;
  /** Expands all nodes during a search. */
  isAllOpen: boolean;
}>;

function Branch({ node, ...list }: { node: FilterNode } & Omit<TreeListProps, "nodes">) {
  const { t } = useTranslation("webhooks");
  const { filters, wordsOf, onToggle, isAllOpen } = list;
  const [isOpen, setOpen] = useState(false);
  const checked = checkedOf(filters, node);
  const hasChildren = node.children.length > 0;
  const isShown = isAllOpen || isOpen;
  const words = wordsOf(node);
  return (
    <li>
      <div className={classes["node"]}>
        {hasChildren ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-expanded={isShown}
            aria-label={t("filter.parts_of", { name: words })}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={14} className={classes["chevron"] ?? ""} data-open={isShown} />
          </ActionIcon>
        ) : (
          <span className={classes["leaf"]} />
        )}
        <Checkbox
          size="xs"
          checked={checked === "all"}
          indeterminate={checked === "some"}
          onChange={() => onToggle(node, checked !== "all")}
          label={
            <span className={classes["label"]}>
              <span>{words}</span>
              {node.isDeprecated ? (
                <Badge size="xs" color="gray" variant="light">
                  {t("filter.deprecated")}
                </Badge>
              ) : null}
              <span className={`mono ${classes["code"]}`}>{node.eventType ?? node.filter}</span>
            </span>
          }
        />
      </div>
      {hasChildren && isShown ? <TreeList nodes={node.children} {...list} /> : null}
    </li>
  );
}

/** A tree with checkboxes; indeterminate if some children are selected. */
export function TreeList({ nodes, ...list }: TreeListProps) {
  return (
    <ul className={classes["list"]}>
      {nodes.map((node) => (
        <Branch key={node.filter} node={node} {...list} />
      ))}
    </ul>
  );
}
