/** Renders a section of the runbook. The chunk contains the runbook, so it loads on demand. */
import { Anchor, Code, List, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import runbook from "../../../../docs/runbook.md?raw";
import { CopyValueButton } from "../../../components/copy-button.tsx";
import { readSection, spansOf, type Block, type Span } from "./read.ts";
import classes from "./runbook.module.css";

/** The runbook exists in English only. */
export function RunbookSection({ anchor }: { anchor: string }) {
  const { t } = useTranslation("platform");
  const section = readSection(runbook, anchor);
  return section === undefined ? (
    <Text c="dimmed">{t("runbook.missing")}</Text>
  ) : (
    <div lang="en">
      {section.blocks.map((block, at) => (
        <Fragment key={`${anchor} ${at}`}>
          <OneBlock block={block} />
        </Fragment>
      ))}
    </div>
  );
}

function OneBlock({ block }: { block: Block }) {
  const { t } = useTranslation("platform");
  switch (block.kind) {
    case "code":
      return (
        <div className={classes["code"]}>
          <Code block tabIndex={0}>
            {block.text}
          </Code>
          <CopyValueButton value={block.text} name={t("runbook.statement")} />
        </div>
      );
    case "list":
      return (
        <List type={block.isOrdered ? "ordered" : "unordered"} size="sm" mb="sm">
          {block.items.map((item) => (
            <List.Item key={item}>
              <Line text={item} />
            </List.Item>
          ))}
        </List>
      );
    case "table":
      return <Rows {...block} />;
    default:
      return (
        <Text size="sm" mb="sm">
          <Line text={block.text} />
        </Text>
      );
  }
}

function Rows({ head, rows }: Extract<Block, { kind: "table" }>) {
  return (
    <div className={classes["frame"]}>
      <Table verticalSpacing={4} fz="sm">
        <Table.Thead>
          <Table.Tr>
            {head.map((cell) => (
              <Table.Th key={cell}>
                <Line text={cell} />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.join("|")}>
              {row.map((cell) => (
                <Table.Td key={cell}>
                  <Line text={cell} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Line({ text }: { text: string }) {
  return spansOf(text).map((span, at) => <OneSpan key={at} span={span} />);
}

function OneSpan({ span: { kind, text, target = "" } }: { span: Span }) {
  if (kind === "strong") {
    return <strong>{text}</strong>;
  }
  if (kind === "code") {
    return <Code>{text}</Code>;
  }
  // Links to other documents are not available in the console.
  return kind === "link" && target.startsWith("#") ? (
    <Anchor
      inherit
      renderRoot={(props) => (
        <Link to="/platform" search={{ runbook: target.slice(1) }} resetScroll={false} {...props} />
      )}
    >
      {text.replaceAll("`", "")}
    </Anchor>
  ) : (
    text.replaceAll("`", "")
  );
}
