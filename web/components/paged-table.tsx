import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { pageOf } from "../base/paging.ts";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { ErrorBox } from "./error-box.tsx";
import { Pager } from "./pager.tsx";

type PagedTableProps<Row> = Omit<DataTableProps<Row>, "rows" | "rowId"> &
  Readonly<{
    asked: UseQueryResult<Readonly<{ total: number; data: readonly Row[] }>>;
    /** Stands there where nothing was found. */
    nothing: ReactNode;
    /** As the address names it. */
    page: string | undefined;
    onPage: (page: string) => void;
  }>;

/** A page of a list, what led to none, or that there is nothing to show. */
export function PagedTable<Row extends { id: number }>(props: PagedTableProps<Row>) {
  const { asked, nothing, page, onPage, ...table } = props;
  const { data, error, refetch } = asked;
  if (error !== null && data === undefined) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data?.data.length === 0) {
    return nothing;
  }
  return (
    <>
      <DataTable {...table} rows={data?.data} rowId={({ id }) => String(id)} />
      <Pager total={data?.total} page={pageOf(page)} onPage={(chosen) => onPage(String(chosen))} />
    </>
  );
}
