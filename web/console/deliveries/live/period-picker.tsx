import { Group, SegmentedControl, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { fromLocal, toLocal } from "../local-time.ts";
import { boundsOf, periodNames, type NowSearch, type PeriodName } from "./period.ts";
import classes from "./live.module.css";

/** Selects the period of the charts. */
export function PeriodPicker({ search }: { search: NowSearch }) {
  const { t } = useTranslation("deliveries");
  const set = useSet();
  const choose = (name: PeriodName): void => {
    if (name === "live") {
      set({});
    } else {
      set(name === "custom" ? { period: name, ...boundsOf(search, new Date()) } : { period: name });
    }
  };
  return (
    <div className={classes["period"]}>
      {search.period === "custom" ? <Custom search={search} /> : null}
      <SegmentedControl
        size="xs"
        aria-label={t("filter.period")}
        value={search.period ?? "live"}
        onChange={(value) => choose(value)}
        data={periodNames.map((value) => ({ value, label: t(`now.period.${value}`) }))}
      />
    </div>
  );
}

function Custom({ search }: { search: NowSearch }) {
  const { t } = useTranslation("deliveries");
  const set = useSet();
  const change = (name: "since" | "until", text: string): void => {
    const at = fromLocal(text);
    const { [name]: _before, ...rest } = search;
    set(at === undefined ? rest : { ...rest, [name]: at });
  };
  return (
    <Group gap="xs" align="flex-end">
      {(["since", "until"] as const).map((name) => (
        <TextInput
          key={`${name} ${search[name]}`}
          type="datetime-local"
          size="xs"
          label={t(`period.${name}`)}
          defaultValue={toLocal(search[name])}
          onBlur={(event) => change(name, event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") {
              change(name, event.currentTarget.value);
            }
          }}
        />
      ))}
    </Group>
  );
}

function useSet() {
  const navigate = useNavigate();
  return (search: NowSearch): void =>
    void navigate({ to: "/dashboard/deliveries", search, replace: true, resetScroll: false });
}
