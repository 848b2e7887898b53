import { Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import { JsonView } from "../../../components/json-view.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { failureOf } from "../../deliveries/detail/failure-advice.ts";
import { PhaseBar } from "../../deliveries/detail/phase-bar.tsx";
import { useWords } from "../../deliveries/labels.ts";
import classes from "./page.module.css";
import type { TestAnswer } from "../types.ts";

type Result = TestAnswer["result"];

/** Request and response side by side. */
export function Answer({ answer }: { answer: TestAnswer }) {
  const { t } = useTranslation("webhooks");
  const { sent, result } = answer;
  return (
    <Stack gap="xs">
      <Outcome result={result} />
      <div className={classes["answer"]}>
        <Stack gap="xs" component="section" aria-label={t("test.request")}>
          <Text fw={600} size="sm">
            {t("test.request")}
          </Text>
          <span className="mono">POST {sent.url}</span>
          <HeaderTable headers={sent.headers} label={t("test.request_headers")} />
          <JsonView text={sent.body} name={t("test.request_body")} />
        </Stack>
        <Stack gap="xs" component="section" aria-label={t("test.response")}>
          <Text fw={600} size="sm">
            {t("test.response")}
          </Text>
          <PhaseBar phases={result.phases} />
          {result.headers === null ? (
            <NoAnswer result={result} />
          ) : (
            <>
              <HeaderTable headers={result.headers} label={t("test.response_headers")} />
              <JsonView text={result.body ?? ""} name={t("test.response_body")} />
            </>
          )}
        </Stack>
      </div>
    </Stack>
  );
}

function Outcome({ result }: { result: Result }) {
  const { t } = useTranslation("webhooks");
  const words = useWords();
  const { code, error } = result;
  return (
    <Group gap="xs" role="status">
      <StateBadge meaning={failureOf(result) === undefined ? "good" : "bad"}>
        {code === null
          ? words.result({ last_code: null, last_error: error })
          : t("test.answered", { code })}
      </StateBadge>
      <Text size="sm">{formatDuration(result.ms)}</Text>
    </Group>
  );
}

function HeaderTable({ headers, label }: { headers: Record<string, string>; label: string }) {
  return (
    <table className={classes["headers"]} aria-label={label}>
      <tbody>
        {Object.entries(headers).map(([name, value]) => (
          <tr key={name}>
            <th scope="row" className="mono">
              {name}
            </th>
            <td className="mono">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Why there was no response, in the words of the delivery pages. */
function NoAnswer({ result }: { result: Result }) {
  const { t } = useTranslation("deliveries");
  const failure = failureOf(result);
  return (
    <>
      {failure === undefined ? null : <Text size="sm">{t(`failure.${failure}.what`)}</Text>}
      {result.error_detail === null ? null : (
        <Text size="xs" c="dimmed" className="mono">
          {result.error_detail}
        </Text>
      )}
    </>
  );
}
