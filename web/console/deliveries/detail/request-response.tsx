import { Text } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { CopyValueButton } from "../../../components/copy-button.tsx";
import { highlightJson } from "../../../components/json-highlight.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import type { Attempt, DeliveryInFull } from "../model.ts";
import { useWords } from "../labels.ts";
import type { Address } from "./address.ts";
import classes from "./detail.module.css";

type ExchangeProps = Readonly<{ delivery: DeliveryInFull; attempt: Attempt; address: Address }>;

/** Request and response side by side. */
export function RequestResponse(props: ExchangeProps) {
  return (
    <div className={classes["request-response"]}>
      <Request {...props} />
      <Response attempt={props.attempt} />
    </div>
  );
}

function Request({ delivery, attempt, address }: ExchangeProps) {
  const { t } = useTranslation("deliveries");
  const { body } = delivery;
  return (
    <div className={classes["side"]} role="group" aria-label={t("exchange.request")}>
      <h3>{t("exchange.request")}</h3>
      <p className="mono">POST {address.origin ?? ""}</p>
      <AddressNote standing={address.standing} />
      <Headers headers={attempt.request_headers} name={t("exchange.request_headers")} />
      {body === null ? (
        <Text size="xs" c="dimmed">
          {t("exchange.no_request_body")}
        </Text>
      ) : (
        <JsonView text={body} name={t("exchange.request_body")} draw={highlightJson} />
      )}
    </div>
  );
}

/** A note on the URL beside it. */
function AddressNote({ standing }: { standing: Address["standing"] }) {
  const { t } = useTranslation("deliveries");
  return standing === "same" ? null : (
    <Text component="div" size="xs" c="dimmed">
      {t(`exchange.address_${standing}`)}
    </Text>
  );
}

function Response({ attempt }: { attempt: Attempt }) {
  const { t } = useTranslation("deliveries");
  const words = useWords();
  const { code, error, response_body: body } = attempt;
  const status =
    code === null ? words.result({ last_code: null, last_error: error }) : `HTTP ${code}`;
  return (
    <div className={classes["side"]} role="group" aria-label={t("exchange.response")}>
      <h3>{t("exchange.response")}</h3>
      <p className="mono">{status}</p>
      {code === null ? (
        <Text size="xs" c="dimmed">
          {t("exchange.no_answer")}
        </Text>
      ) : (
        <>
          <Headers headers={attempt.response_headers} name={t("exchange.response_headers")} />
          {body === null || body === "" ? (
            <Text size="xs" c="dimmed">
              {t(body === null ? "exchange.answer_not_kept" : "exchange.no_body")}
            </Text>
          ) : (
            <JsonView text={body} name={t("exchange.response_body")} draw={highlightJson} />
          )}
        </>
      )}
    </div>
  );
}

function Headers({ headers, name }: { headers: Attempt["request_headers"]; name: string }) {
  const { t } = useTranslation("deliveries");
  const lines = Object.entries(headers ?? {});
  if (lines.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        {t("exchange.no_headers")}
      </Text>
    );
  }
  const text = lines.map(([key, value]) => `${key}: ${value}`).join("\n");
  return (
    <div className={classes["headers"]} role="group" tabIndex={0} aria-label={name}>
      <div className={classes["copy"]}>
        <CopyValueButton value={text} name={name} />
      </div>
      <dl>
        {lines.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
