import { Button } from "@mantine/core";
import { IconVideo } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { accessQuery } from "./queries.ts";
import type { Meeting } from "./types.ts";

/** Opens the meeting. Its page knows the account that is signed in, and its role. */
export function JoinButton({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  const { data: access } = useQuery(accessQuery(meeting));
  return access?.access === true ? (
    <Button
      component="a"
      href={meeting.url}
      target="_blank"
      rel="noreferrer"
      leftSection={<IconVideo size={16} aria-hidden />}
    >
      {t("action.join")}
    </Button>
  ) : null;
}
