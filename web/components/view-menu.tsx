import { Button, Menu } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconBookmark, IconBookmarkPlus, IconCheck, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../base/i18n.ts";
import { lazyDialog } from "./lazy-dialog.tsx";
import { addView, isSameSearch, readViews, type ViewSearch, type View } from "./views.ts";

const [NameDialog, prepareNameDialog] = lazyDialog(
  async () => (await import("./view-name.tsx")).NameDialog,
);

type ViewMenuProps = Readonly<{
  /** Name of the list, the storage key of its views. */
  list: string;
  /** Built-in views. */
  presets?: readonly View[];
  /** The current filters, without the page and the open row. */
  search: ViewSearch;
  onChoose: (search: ViewSearch) => void;
}>;

/** Saved views of a list; the current filters can be saved under a name. */
export function ViewMenu({ list, presets = [], search, onChoose }: ViewMenuProps) {
  const { t } = useTranslation();
  const [own, setOwn] = useViews(list);
  const [isNaming, setNaming] = useState(false);
  const everything: View = { name: t("view.all"), search: {} };
  const mine = own.find((view) => isSameSearch(view.search, search));
  const isKnown = [everything, ...presets, ...own].some((view) =>
    isSameSearch(view.search, search),
  );
  const items = (views: readonly View[]) =>
    views.map((view) => (
      <ViewItem
        key={view.name}
        view={view}
        isChosen={isSameSearch(view.search, search)}
        onChoose={() => onChoose(view.search)}
      />
    ));
  return (
    <>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconBookmark size={14} aria-hidden />}
          >
            {t("view.title")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {items([everything, ...presets])}
          {own.length === 0 ? null : <Menu.Divider />}
          {items(own)}
          <Menu.Divider />
          {mine === undefined ? (
            <Menu.Item
              leftSection={<IconBookmarkPlus size={14} aria-hidden />}
              disabled={isKnown}
              onPointerEnter={prepareNameDialog}
              onFocus={prepareNameDialog}
              onClick={() => setNaming(true)}
            >
              {t("view.save")}
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => setOwn(own.filter(({ name }) => name !== mine.name))}
            >
              {t("view.delete", { name: mine.name })}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isNaming ? (
        <NameDialog
          onClose={() => setNaming(false)}
          onSave={(name) => {
            setOwn(addView(own, { name, search }));
            setNaming(false);
          }}
        />
      ) : null}
    </>
  );
}

function useViews(list: string) {
  return useLocalStorage<View[]>({
    key: `sightline.views.${list}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: readViews,
  });
}

type ItemProps = Readonly<{ view: View; isChosen: boolean; onChoose: () => void }>;

function ViewItem({ view, isChosen, onChoose }: ItemProps) {
  return (
    <Menu.Item
      role="menuitemradio"
      aria-checked={isChosen}
      rightSection={isChosen ? <IconCheck size={14} aria-hidden /> : null}
      onClick={onChoose}
    >
      {view.name}
    </Menu.Item>
  );
}
