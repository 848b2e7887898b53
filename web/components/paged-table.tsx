import type { ReactNode } from "react";
import { isEmptyPage, pageOf } from "../base/paging.ts";
import { DataTable, type DataTableProps } from "./data-table.tsx";
import { ErrorBox } from "./error-box.tsx";
import { Pager } from "./pager.tsx";

type PagedTableProps<Row> = Omit<DataTableProps<Row>, "rows" | "rowId"> &
  Readonly<{
    /** The query of the page. */
    query: Readonly<{
      data: Readonly<{ total: number; data: readonly Row[] }> | undefined;
      error: unknown;
      isFetching: boolean;
      refetch: () => unknown;
    }>;
    /** The empty state. */
    nothing: ReactNode;
    /** The page number from the URL. */
    page: string | undefined;
    onPage: (page: string) => void;
    pageSize?: number;
    /** Formats the total count. */
    words?: (total: number) => string;
  }>;

/** A page of a list, its error, or the empty state. */
export function PagedTable<Row extends { id: number | string }>(props: PagedTableProps<Row>) {
  const { query, nothing, page, onPage, pageSize, words, ...table } = props;
  const { data, error, refetch } = query;
  if (data === undefined && error !== null) {
    return <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  if (data?.total === 0) {
    return nothing;
  }
  return (
    <>
      <DataTable {...table} rows={data?.data} rowId={({ id }) => String(id)} />
      <Pager
        total={data?.total}
        isEmpty={isEmptyPage(query)}
        page={pageOf(page)}
        onPage={(chosen) => onPage(String(chosen))}
        {...(pageSize === undefined ? {} : { pageSize })}
        {...(words === undefined ? {} : { words })}
      />
    </>
  );
}
