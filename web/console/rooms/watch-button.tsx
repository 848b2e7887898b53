import { Button, Tooltip } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import type { LiveRoom } from "./types.ts";

/** Opens the call for a supervisor, or says why that is not possible. */
export function WatchButton({ room: { id, supervision } }: { room: LiveRoom }) {
  const { t } = useTranslation("rooms");
  const style = {
    ...{ size: "xs", variant: "default" },
    leftSection: <IconEye size={15} aria-hidden />,
  } as const;
  if (supervision === "available") {
    return (
      <Button
        {...style}
        renderRoot={(props) => (
          <Link to="/rooms/$sessionId" params={{ sessionId: id }} preload={false} {...props} />
        )}
      >
        {t("watch.action")}
      </Button>
    );
  }
  // Not `disabled`, so that the reason can be reached by keyboard and read out.
  return (
    <Tooltip label={t(`supervision.${supervision}`)} multiline maw={280} events={reached}>
      <Button
        {...style}
        data-disabled
        aria-disabled
        aria-description={t(`supervision.${supervision}`)}
        onClick={(event) => event.preventDefault()}
      >
        {t("watch.action")}
      </Button>
    </Tooltip>
  );
}

const reached = { hover: true, focus: true, touch: true };
