import { Loader, Portal } from "@mantine/core";
import { lazy, useState, type ComponentType } from "react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./later.module.css";
import { Part } from "./part.tsx";

const Coming = () => {
  const { t } = useTranslation();
  return (
    <Portal>
      <div className={classes["coming"]} role="status">
        <Loader size={14} aria-hidden />
        {t("state.loading")}
      </div>
    </Portal>
  );
};

/**
 * What opens over a page, a dialog or a panel: its script is loaded once it is asked for, or where
 * `prepare` is called, as soon as somebody is about to. Once loaded, it is there at once. Where it
 * cannot be loaded, that is told in its place.
 *
 *     const [Dialog, prepareDialog] = later(async () => (await import("./dialog.tsx")).Dialog);
 */
export const later = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): readonly [ComponentType<Props>, () => void] => {
  let loaded: ComponentType<Props> | undefined;
  const get = async (): Promise<ComponentType<Props>> => (loaded ??= await load());
  const Lazy = lazy(async () => ({ default: await get() })) as ComponentType<Props>;

  const Later = (props: Props) => {
    // The same as long as it is shown: with another one it would begin anew.
    const [Shown] = useState(() => loaded ?? Lazy);
    return (
      <Part placeholder={<Coming />}>
        <Shown {...props} />
      </Part>
    );
  };
  // Whoever asks for it then tries again, and is told.
  const prepare = (): void => void get().catch(() => undefined);
  return [Later, prepare];
};
