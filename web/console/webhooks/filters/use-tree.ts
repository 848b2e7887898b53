import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { catalogueQuery } from "../data.ts";
import { treeOf, type FilterNode } from "./filter-tree.ts";

const none: readonly FilterNode[] = [];

/** The event tree; empty until loaded. */
export function useTree() {
  const { data, error, refetch } = useQuery(catalogueQuery);
  const tree = useMemo(() => (data === undefined ? none : treeOf(data)), [data]);
  return { tree, error, refetch };
}
