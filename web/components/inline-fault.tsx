import { Anchor, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../base/i18n.ts";
import { useProblemText } from "./problem-text.ts";

type InlineFaultProps = Readonly<{
  error: unknown;
  /** Says what is unavailable, in one sentence. */
  children: ReactNode;
  onRetry: () => void;
}>;

/** A one-line error for a small part of a page; the tooltip has the reason. */
export function InlineFault({ error, children, onRetry }: InlineFaultProps) {
  const { t } = useTranslation();
  const { title } = useProblemText()(error);
  return (
    <Text size="sm" role="alert" title={title}>
      {children}
      <span className="only-heard"> {title}</span>{" "}
      <Anchor component="button" type="button" size="sm" onClick={onRetry}>
        {t("action.retry")}
      </Anchor>
    </Text>
  );
}
