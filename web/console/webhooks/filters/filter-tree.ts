/** Filters as a tree: objects, actions, and timeline entry types. Pure. */
import type { components } from "../../../base/api-types.ts";

export type Catalogue = components["schemas"]["EventCatalogue"];

/** The smallest selectable unit. Timeline entries have an `eventType`. */
type Leaf = Readonly<{ object: string; event: string; eventType: string | null }>;

export type FilterNode = Readonly<{
  /** The filter for the whole node. */
  filter: string;
  kind: "object" | "event" | "eventType";
  object: string;
  event: string | null;
  eventType: string | null;
  isDeprecated: boolean;
  isOperational: boolean;
  /** The API's description, for nodes without a translation. */
  meaning: string;
  leaves: readonly Leaf[];
  children: readonly FilterNode[];
}>;

/** The object whose events have types. */
export const timeline = "conversationevent";

/** Wildcard filters of the API. */
export const wideFilters = ["*", "*.create", "*.update", "*.delete"] as const;

export type Checked = "all" | "some" | "none";

export function treeOf(catalogue: Catalogue): FilterNode[] {
  return catalogue.objects.map((of) => {
    const children = eventNodes(catalogue, of);
    return {
      filter: `${of.object}.*`,
      kind: "object",
      object: of.object,
      event: null,
      eventType: null,
      isDeprecated: false,
      isOperational: of.operational,
      meaning: of.object,
      leaves: children.flatMap(({ leaves }) => leaves),
      children,
    };
  });
}

type CatalogueObject = Catalogue["objects"][number];

function eventNodes(catalogue: Catalogue, of: CatalogueObject): FilterNode[] {
  return of.events.map((event) => {
    const { object, operational } = of;
    const children = object === timeline ? typeNodes(catalogue, object, event) : [];
    return {
      filter: `${object}.${event}`,
      kind: "event",
      object,
      event,
      eventType: null,
      isDeprecated: false,
      isOperational: operational,
      meaning: of.meanings[event] ?? event,
      leaves:
        children.length === 0
          ? [{ object, event, eventType: null }]
          : children.flatMap(({ leaves }) => leaves),
      children,
    };
  });
}

function typeNodes(catalogue: Catalogue, object: string, event: string): FilterNode[] {
  return catalogue.eventTypes.map(({ eventType, deprecated }) => ({
    filter: `${object}.${event}:${eventType}`,
    kind: "eventType",
    object,
    event,
    eventType,
    isDeprecated: deprecated,
    isOperational: false,
    meaning: eventType,
    leaves: [{ object, event, eventType }],
    children: [],
  }));
}

/** Whether an event matches at least one filter. */
export function passes(
  filters: readonly string[],
  event: Readonly<{ object: string; event: string; event_type: string | null }>,
): boolean {
  const leaf = { ...event, eventType: event.event_type };
  const isOperational = event.object === "subscription" || event.object === "delivery";
  return filters.some((filter) => covers(filter, leaf, isOperational));
}

export function checkedOf(filters: readonly string[], node: FilterNode): Checked {
  const count = node.leaves.filter((leaf) =>
    filters.some((filter) => covers(filter, leaf, node.isOperational)),
  ).length;
  if (count === 0) {
    return "none";
  }
  return count === node.leaves.length ? "all" : "some";
}

/** The filters after a node was toggled. */
export function toggled(
  filters: readonly string[],
  node: FilterNode,
  { isOn, tree }: Readonly<{ isOn: boolean; tree: readonly FilterNode[] }>,
): string[] {
  const rest = filters.filter((filter) => !isWithin(filter, node, tree));
  const next = isOn
    ? [...rest, node.filter]
    : rest.flatMap((filter) => without(filter, node, tree));
  return [...new Set(next)];
}

/** Whether the node contains everything that a filter matches. */
function isWithin(filter: string, node: FilterNode, tree: readonly FilterNode[]): boolean {
  return (
    coversSome(filter, node) &&
    tree
      .flatMap((one) => one.leaves.map((leaf) => ({ leaf, isOperational: one.isOperational })))
      .every(
        ({ leaf, isOperational }) =>
          !covers(filter, leaf, isOperational) || node.leaves.includes(leaf),
      )
  );
}

/** A filter minus a node: unchanged, or split into smaller filters. */
function without(filter: string, node: FilterNode, tree: readonly FilterNode[]): string[] {
  if (!coversSome(filter, node)) {
    return [filter];
  }
  return piecesOf(filter, tree).flatMap((piece) => {
    if (!meets(piece, node)) {
      return [piece.filter];
    }
    return isInside(piece, node) ? [] : without(piece.filter, node, tree);
  });
}

function coversSome(filter: string, node: FilterNode): boolean {
  return node.leaves.some((leaf) => covers(filter, leaf, node.isOperational));
}

/** Operational events must be named explicitly: `*` does not match them. */
function covers(filter: string, leaf: Leaf, isOperational: boolean): boolean {
  const { object, event, eventType } = partsOf(filter);
  return (
    (object === "*" ? !isOperational : object === leaf.object) &&
    (event === "*" || event === leaf.event) &&
    (eventType === "*" || eventType === leaf.eventType)
  );
}

/** The direct children of a filter. */
function piecesOf(filter: string, tree: readonly FilterNode[]): readonly FilterNode[] {
  const { object, event, eventType } = partsOf(filter);
  const objects = tree.filter((node) =>
    object === "*" ? !node.isOperational : node.object === object,
  );
  const isWhole = event === "*" && eventType === "*";
  if (isWhole && objects.length > 1) {
    return objects;
  }
  const events = objects
    .flatMap(({ children }) => children)
    .filter((node) => event === "*" || node.event === event);
  if (eventType !== "*") {
    return events.flatMap(({ children }) => children).filter((n) => n.eventType === eventType);
  }
  const [only] = events;
  return !isWhole && events.length === 1 && only !== undefined && object !== "*"
    ? only.children
    : events;
}

function partsOf(filter: string): { object: string; event: string; eventType: string } {
  const [path = "", eventType = "*"] = filter.split(":");
  const [object = "", event = "*"] = path.split(".");
  return { object, event, eventType };
}

function meets(node: FilterNode, other: FilterNode): boolean {
  return node.leaves.some((leaf) => other.leaves.includes(leaf));
}

function isInside(node: FilterNode, other: FilterNode): boolean {
  return node.leaves.every((leaf) => other.leaves.includes(leaf));
}

/** Nodes that match a search, with their ancestors. An empty text matches all. */
export function searched(
  nodes: readonly FilterNode[],
  text: string,
  wordsOf: (node: FilterNode) => string,
): FilterNode[] {
  const term = text.trim().toLowerCase();
  if (term === "") {
    return [...nodes];
  }
  return nodes.flatMap((node) => {
    if (`${node.filter} ${wordsOf(node)}`.toLowerCase().includes(term)) {
      return [node];
    }
    const children = searched(node.children, text, wordsOf);
    return children.length === 0 ? [] : [{ ...node, children }];
  });
}
