/**
 * A list as a table: the head stays, columns can be chosen, a row opens by click or by Enter, and
 * what is not there yet has its final size. On a phone, columns with `meta.isMinor` are left out,
 * and on anything but a wide screen those with `meta.isRoomy`.
 */
import { Checkbox, Menu, Skeleton, Table, ActionIcon, Tooltip } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconColumns3 } from "@tabler/icons-react";
import {
  flexRender,
  getCoreRowModel,
  useReactTable,
  type ColumnDef,
  type RowData,
  type Table as TableModel,
  type VisibilityState,
} from "@tanstack/react-table";
import { useTranslation } from "react-i18next";
import classes from "./data-table.module.css";

declare module "@tanstack/react-table" {
  interface ColumnMeta<TData extends RowData, TValue> {
    /** Numbers stand on the right. */
    isNumber?: boolean;
    /** Left out where there is little room. */
    isMinor?: boolean;
    /** Shown on wide screens only. */
    isRoomy?: boolean;
    /** For type parameters that the declaration has to repeat. */
    of?: [TData, TValue];
  }
}

type DataTableProps<Row> = Readonly<{
  /** Under this name the chosen columns are kept on this browser. */
  name: string;
  /** What the table is, for screen readers. */
  label: string;
  columns: ColumnDef<Row>[];
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  onOpen?: ((row: Row) => void) | undefined;
  /** The row that is open beside the list. */
  openId?: string | undefined;
}>;

type Meta = { isNumber?: boolean; isMinor?: boolean; isRoomy?: boolean };

const metaClass = (meta: Meta = {}): string =>
  [
    meta.isNumber === true ? classes["number"] : undefined,
    meta.isMinor === true ? classes["minor"] : undefined,
    meta.isRoomy === true ? classes["roomy"] : undefined,
  ]
    .filter((name) => name !== undefined)
    .join(" ");

function ColumnMenu<Row>({ table }: { table: TableModel<Row> }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Tooltip label={t("table.columns")}>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t("table.columns")}>
            <IconColumns3 size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {table
          .getAllLeafColumns()
          .filter((column) => column.getCanHide())
          .map((column) => (
            <Menu.Item key={column.id} component="label">
              <Checkbox
                size="xs"
                label={String(column.columnDef.header)}
                checked={column.getIsVisible()}
                onChange={column.getToggleVisibilityHandler()}
              />
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const Waiting = ({ columns }: { columns: number }) =>
  Array.from({ length: 8 }, (_, row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (__, column) => (
        <Table.Td key={column}>
          <Skeleton height={14} width={column === 0 ? "70%" : "50%"} my={3} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));

function Rows<Row>({
  table,
  onOpen,
  openId,
}: { table: TableModel<Row> } & Pick<DataTableProps<Row>, "onOpen" | "openId">) {
  return table.getRowModel().rows.map((row) => (
    <Table.Tr
      key={row.id}
      data-open={row.id === openId || undefined}
      {...(onOpen === undefined
        ? {}
        : {
            className: classes["opens"] ?? "",
            tabIndex: 0,
            onClick: () => onOpen(row.original),
            onKeyDown: (event: React.KeyboardEvent) => {
              if (event.key === "Enter" && event.target === event.currentTarget) {
                onOpen(row.original);
              }
            },
          })}
    >
      {row.getVisibleCells().map((cell) => (
        <Table.Td key={cell.id} className={metaClass(cell.column.columnDef.meta)}>
          {flexRender(cell.column.columnDef.cell, cell.getContext())}
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, label, columns, rows, rowId, onOpen, openId } = props;
  const [columnVisibility, setColumnVisibility] = useLocalStorage<VisibilityState>({
    key: `sightline.columns.${name}`,
    defaultValue: {},
  });
  const table = useReactTable({
    data: (rows ?? []) as Row[],
    columns,
    getRowId: rowId,
    getCoreRowModel: getCoreRowModel(),
    state: { columnVisibility },
    onColumnVisibilityChange: setColumnVisibility,
  });
  return (
    <div className={classes["frame"]} role="region" aria-label={label} tabIndex={0}>
      <div className={classes["tools"]}>
        <ColumnMenu table={table} />
      </div>
      <Table
        stickyHeader
        highlightOnHover
        highlightOnHoverColor="var(--sunken)"
        verticalSpacing={6}
        aria-busy={rows === undefined}
        aria-label={label}
      >
        <Table.Thead>
          {table.getHeaderGroups().map((group) => (
            <Table.Tr key={group.id}>
              {group.headers.map((header) => (
                <Table.Th key={header.id} className={metaClass(header.column.columnDef.meta)}>
                  {flexRender(header.column.columnDef.header, header.getContext())}
                </Table.Th>
              ))}
            </Table.Tr>
          ))}
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined ? (
            <Waiting columns={table.getVisibleLeafColumns().length} />
          ) : (
            <Rows table={table} onOpen={onOpen} openId={openId} />
          )}
        </Table.Tbody>
      </Table>
    </div>
  );
}
