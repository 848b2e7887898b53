import { Button, CopyButton, Text } from "@mantine/core";
import { IconCheck, IconTerminal2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import type { Attempt, DeliveryInFull } from "../model.ts";
import { webhooksQuery } from "../queries.ts";
import type { Address } from "./address.ts";
import { asComments, maskedHeaders, toCurl } from "./curl.ts";
import classes from "./detail.module.css";

type CurlProps = Readonly<{
  delivery: DeliveryInFull;
  attempt: Attempt;
  standing: Address["standing"];
}>;

/** The request as a curl command with a copy button, and notes on what the command lacks. */
export function CurlBox({ delivery, attempt, standing }: CurlProps) {
  const { t } = useTranslation("deliveries");
  const { data, isPending } = useQuery(webhooksQuery);
  const [isShown, setShown] = useState(false);
  const { body, webhook } = delivery;
  const headers = attempt.request_headers ?? {};
  const known = data?.data.find(({ id }) => id === webhook.id)?.url ?? undefined;
  if (body === null || webhook.origin === null) {
    return null;
  }
  const comments = [
    ...maskedHeaders(headers).map((name) => t("curl.comment_masked", { name })),
    t("curl.comment_signature", { time: attempt.started }),
  ];
  const text = asComments(comments) + toCurl({ url: known ?? webhook.origin, headers, body });
  return (
    <div className={classes["curl"]}>
      <CopyButton value={text} timeout={2_000}>
        {({ copied, copy }) => (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isPending} // the command contains the webhook's URL
            leftSection={
              copied ? <IconCheck size={14} aria-hidden /> : <IconTerminal2 size={14} aria-hidden />
            }
            onClick={() => {
              copy();
              setShown(true);
            }}
          >
            {copied ? t("base:action.copied") : t("curl.copy")}
          </Button>
        )}
      </CopyButton>
      {isShown ? (
        <>
          <pre className={`mono ${classes["command"]}`} tabIndex={0} aria-label={t("curl.name")}>
            {text}
          </pre>
          <Note
            masked={maskedHeaders(headers)}
            isPathKnown={known !== undefined}
            isDeleted={webhook.deleted}
            standing={standing}
          />
        </>
      ) : null}
    </div>
  );
}

type NoteProps = Readonly<{
  masked: readonly string[];
  isPathKnown: boolean;
  isDeleted: boolean;
  standing: Address["standing"];
}>;

/** Says which values are masked, where the command sends, and why the receiver may reject it. */
function Note({ masked, isPathKnown, isDeleted, standing }: NoteProps) {
  const { t } = useTranslation("deliveries");
  const isElsewhere = standing !== "same";
  return (
    <Text size="xs" c="dimmed">
      {isElsewhere ? `${t(isDeleted ? "curl.address_last" : "curl.address_now")} ` : ""}
      {masked.length === 0 ? "" : `${t("curl.masked", { names: masked.join(", ") })} `}
      {isPathKnown ? "" : `${t("curl.origin_only")} `}
      {t("curl.signature")}
    </Text>
  );
}
