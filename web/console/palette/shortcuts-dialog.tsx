import { Kbd, Modal, Switch, Table } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { switchSingleKeys, useAreSingleKeysOn } from "../../components/single-keys.ts";
import classes from "./palette.module.css";

type Shortcut = Readonly<{
  name: "commands" | "list" | "search" | "invite" | "next" | "previous" | "close";
  keys: readonly string[];
  isSingle?: boolean;
}>;

const isApple = /Mac|iPhone|iPad/u.test(navigator.userAgent);

const shortcuts: readonly Shortcut[] = [
  { name: "commands", keys: [isApple ? "⌘" : "Ctrl", "K"] },
  { name: "close", keys: ["Esc"] },
  { name: "search", keys: ["/"], isSingle: true },
  { name: "list", keys: ["?"], isSingle: true },
  { name: "invite", keys: ["N"], isSingle: true },
  { name: "next", keys: ["J"], isSingle: true },
  { name: "previous", keys: ["K"], isSingle: true },
];

/** The list of shortcuts, with the switch for single-key shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("palette");
  const areOn = useAreSingleKeysOn();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("shortcuts.title")}
      closeButtonProps={{ "aria-label": t("base:action.close") }}
    >
      <Table withRowBorders={false} verticalSpacing={6}>
        <Table.Tbody>
          {shortcuts.map(({ name, keys, isSingle = false }) => (
            <Table.Tr key={name} className={isSingle && !areOn ? classes["off"] : ""}>
              <Table.Th scope="row" className={classes["what"] ?? ""}>
                {t(`shortcuts.${name}`)}
              </Table.Th>
              <Table.Td className={classes["keys"] ?? ""}>
                <Keys keys={keys} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        mt="md"
        label={t("shortcuts.single")}
        description={t("shortcuts.single_note")}
        checked={areOn}
        onChange={({ currentTarget }) => switchSingleKeys(currentTarget.checked)}
      />
    </Modal>
  );
}

function Keys({ keys }: Pick<Shortcut, "keys">) {
  return keys.map((key, nth) => (
    <Fragment key={key}>
      {nth === 0 ? null : " + "}
      <Kbd>{key}</Kbd>
    </Fragment>
  ));
}
