/** Describes the events of a webhook. */
import { useTranslation } from "../../../base/i18n.ts";
import { useEventTypeLabel } from "../../event-types/use-event-type-label.ts";
import { checkedOf, timeline, type FilterNode } from "./filter-tree.ts";

const namedTypes = 3;

/** A short text such as "all ticket events, new files, 3 types of timeline entries". */
export function useFilterSummary() {
  const { t } = useTranslation("webhooks");
  const words = useNodeWords();
  const shortOf = useShortWords();

  const timelineWords = (filters: readonly string[], node: FilterNode): string[] => {
    const types = node.children
      .flatMap(({ children }) => children)
      .filter((one) => isPartly(filters, one));
    return types.length <= namedTypes
      ? types.map((one) => t("gets.type", { name: words(one) }))
      : [t("gets.types", { count: types.length })];
  };

  const objectWords = (filters: readonly string[], node: FilterNode): string[] => {
    const checked = checkedOf(filters, node);
    if (checked !== "some") {
      return checked === "all" ? [shortOf(node)] : [];
    }
    return node.object === timeline
      ? timelineWords(filters, node)
      : node.children.filter((one) => isPartly(filters, one)).map(shortOf);
  };

  return (filters: readonly string[], tree: readonly FilterNode[]): string => {
    if (filters.length === 0) {
      return t("gets.nothing");
    }
    const service = tree.filter(({ isOperational }) => !isOperational);
    const isEverything = service.every((node) => checkedOf(filters, node) === "all");
    const named = isEverything ? tree.filter(({ isOperational }) => isOperational) : tree;
    const parts = [
      ...(isEverything ? [t("gets.everything")] : []),
      ...named.flatMap((node) => objectWords(filters, node)),
    ];
    return parts.join(", ");
  };
}

/** A shorter form, of two or three words; a timeline entry type is shown by its label. */
export function useShortWords() {
  const { find } = useTranslation("webhooks");
  const words = useNodeWords();
  return (node: FilterNode): string => {
    const short =
      node.kind === "eventType"
        ? undefined
        : find(`object.${node.object}.short.${node.event ?? "all"}`);
    return short ?? words(node);
  };
}

/** Labels of tree nodes: translated, else the API's description. */
export function useNodeWords() {
  const { find } = useTranslation("webhooks");
  const typeLabel = useEventTypeLabel();
  return (node: FilterNode): string => {
    if (node.eventType !== null) {
      return typeLabel(node.eventType);
    }
    const part = node.kind === "object" ? "name" : `event.${node.event ?? ""}`;
    return find(`object.${node.object}.${part}`) ?? node.meaning;
  };
}

function isPartly(filters: readonly string[], node: FilterNode): boolean {
  return checkedOf(filters, node) !== "none";
}
