import { List, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { Confirm } from "../../../components/confirm.tsx";
import { counted } from "../labels.ts";
import { refreshDeliveries } from "../queries.ts";
import { replaySelection, retrySelection, type Outcome } from "./bulk.ts";

const actions = { retry: retrySelection, replay: replaySelection } as const;

export type ActionName = keyof typeof actions;

/** Confirmation, then result. */
export type Step =
  | Readonly<{ is: "asked"; name: ActionName; ids: readonly number[]; left: number }>
  | Readonly<{ is: "ended"; name: ActionName; outcome: Outcome }>;

type DialogProps<Is> = Readonly<{
  step: Extract<Step, { is: Is }>;
  onEnded: (ended: Extract<Step, { is: "ended" }>) => void;
  onClose: () => void;
}>;

/** Confirms a bulk action and lists its failures. */
export function SelectionDialog({ step, ...rest }: DialogProps<Step["is"]>) {
  return step.is === "asked" ? (
    <Question key="asked" step={step} {...rest} />
  ) : (
    <Refusals key="ended" step={step} {...rest} />
  );
}

function Question({ step, onEnded, onClose }: DialogProps<"asked">) {
  const { t } = useTranslation("deliveries");
  const queries = useQueryClient();
  const { name, ids, left } = step;
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t(`select.${name}_title`, counted(ids.length))}
      action={t(`select.${name}_do`, counted(ids.length))}
      onConfirm={async () => {
        const outcome = await actions[name](ids);
        await refreshDeliveries(queries);
        onEnded({ is: "ended", name, outcome });
      }}
    >
      <Text size="sm">{t(`select.${name}_note`)}</Text>
      {left === 0 ? null : (
        <Text size="sm" mt="xs">
          {t(`select.${name}_left`, counted(left))}
        </Text>
      )}
    </Confirm>
  );
}

/** Number of listed failures; the rest is only counted. */
const mostListed = 5;

function Refusals({ step, onClose }: DialogProps<"ended">) {
  const { t } = useTranslation("deliveries");
  const { done, refused } = step.outcome;
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t("select.partly_title")}
      action={t("base:action.close")}
      isNotice
      onConfirm={() => Promise.resolve()}
    >
      <Text size="sm">
        {t(`select.${step.name}_done`, counted(done))}{" "}
        {t("select.refused", counted(refused.length))}
      </Text>
      <List size="sm" mt="xs">
        {refused.slice(0, mostListed).map(({ id, detail }) => (
          <List.Item key={id}>{detail}</List.Item>
        ))}
      </List>
      {refused.length > mostListed ? (
        <Text size="sm">{t("select.more", counted(refused.length - mostListed))}</Text>
      ) : null}
    </Confirm>
  );
}
