/**
 * A list as a table with a sticky head, a column menu, rows that open by click or Enter, and
 * placeholders of the final size while loading. The API sorts and paginates.
 */
import { ActionIcon, Checkbox, Menu, Skeleton, Table, Tooltip } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconColumns3 } from "@tabler/icons-react";
import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./data-table.module.css";

export type Column<Row> = Readonly<{
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The header is for screen readers only. */
  isHeard?: boolean;
  /** The column cannot be hidden. */
  isFixed?: boolean;
  /** Aligned right. */
  isNumber?: boolean;
  /** Not wrapped where there is space. */
  isWhole?: boolean;
  /** Hidden on narrow screens. */
  isMinor?: boolean;
  /** Shown on wide screens only. */
  isRoomy?: boolean;
}>;

export type DataTableProps<Row> = Readonly<{
  /** localStorage name of the column choice. */
  name: string;
  /** Label of the table, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[] | undefined;
  rowId: (row: Row) => string;
  onOpen?: ((row: Row) => void) | undefined;
  /** The row that is open in the detail pane. */
  openId?: string | undefined;
}>;

/** Visibility by column id; columns without an entry are visible. */
type Chosen = Readonly<Record<string, boolean>>;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, label, columns, rows, rowId, onOpen, openId } = props;
  const [chosen, setChosen] = useLocalStorage<Chosen>({
    key: `sightline.columns.${name}`,
    defaultValue: {},
  });
  const shown = columns.filter((column) => isShown(column, chosen));
  const frame = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLTableElement>(null);
  const fits = useFits(frame, table);
  return (
    <div
      ref={frame}
      className={classes["frame"]}
      data-fits={fits || undefined}
      // Not a landmark: the surrounding section is one, often with the same name.
      role="group"
      aria-label={label}
      tabIndex={0}
    >
      <div className={classes["tools"]}>
        <ColumnMenu columns={columns} chosen={chosen} onChoose={setChosen} />
      </div>
      <Table
        ref={table}
        stickyHeader
        // Below the console's header if the page scrolls, at the top if the frame scrolls.
        stickyHeaderOffset={fits ? "var(--header, 0px)" : 0}
        highlightOnHover
        highlightOnHoverColor="var(--sunken)"
        verticalSpacing={6}
        aria-busy={rows === undefined}
        aria-label={label}
      >
        <Table.Thead>
          <Table.Tr>
            {shown.map((column) => (
              <Table.Th key={column.id} className={classOf(column)}>
                {column.isHeard === true ? (
                  <span className="only-heard">{column.header}</span>
                ) : (
                  column.header
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows === undefined ? (
            <Waiting columns={shown.length} />
          ) : (
            rows.map((row) => (
              <OneRow
                key={rowId(row)}
                row={row}
                columns={shown}
                isOpen={rowId(row) === openId}
                onOpen={onOpen}
              />
            ))
          )}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** Whether the whole table fits, so that it does not scroll sideways. */
function useFits(frame: RefObject<HTMLDivElement | null>, table: RefObject<HTMLElement | null>) {
  const [fits, setFits] = useState(false);
  useLayoutEffect(() => {
    const [outer, inner] = [frame.current, table.current];
    if (outer === null || inner === null) {
      return undefined;
    }
    const measure = (): void => setFits(inner.scrollWidth <= outer.clientWidth + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [frame, table]);
  return fits;
}

type ColumnMenuProps<Row> = Readonly<{
  columns: readonly Column<Row>[];
  chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
}>;

function ColumnMenu<Row>({ columns, chosen, onChoose }: ColumnMenuProps<Row>) {
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
        {columns
          .filter(({ isFixed = false }) => !isFixed)
          .map((column) => (
            <Menu.Item key={column.id} component="label">
              <Checkbox
                size="xs"
                label={column.header}
                checked={isShown(column, chosen)}
                onChange={({ currentTarget: { checked } }) =>
                  onChoose({ ...chosen, [column.id]: checked })
                }
              />
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function isShown<Row>({ id, isFixed = false }: Column<Row>, chosen: Chosen): boolean {
  return isFixed || chosen[id] !== false;
}

/** Placeholder rows during loading: hidden from screen readers, not clickable. */
function Waiting({ columns }: { columns: number }) {
  return Array.from({ length: 8 }, (_, row) => (
    <Table.Tr key={row} aria-hidden>
      {Array.from({ length: columns }, (__, column) => (
        <Table.Td key={column}>
          <Skeleton height={14} width={column === 0 ? "70%" : "50%"} my={3} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

type RowProps<Row> = Readonly<{
  row: Row;
  columns: readonly Column<Row>[];
  isOpen: boolean;
  onOpen: ((row: Row) => void) | undefined;
}>;

function OneRow<Row>({ row, columns, isOpen, onOpen }: RowProps<Row>) {
  return (
    <Table.Tr
      data-open={isOpen || undefined}
      {...(onOpen === undefined ? {} : opening(() => onOpen(row)))}
    >
      {columns.map((column) => (
        <Table.Td key={column.id} className={classOf(column)}>
          {column.cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** Props that open a row by click, or by Enter while the row itself has the focus. */
function opening(open: () => void) {
  return {
    className: classes["opens"] ?? "",
    tabIndex: 0,
    onClick: open,
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.key === "Enter" && event.target === event.currentTarget) {
        open();
      }
    },
  };
}

function classOf<Row>({ isNumber, isMinor, isRoomy, isWhole }: Column<Row>): string {
  return [
    isNumber === true ? classes["number"] : undefined,
    isMinor === true ? classes["minor"] : undefined,
    isWhole === true ? classes["whole"] : undefined,
    isRoomy === true ? classes["roomy"] : undefined,
  ]
    .filter((name) => name !== undefined)
    .join(" ");
}
