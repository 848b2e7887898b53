import { Skeleton } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { PartBoundary } from "../../../components/error-boundary.tsx";
import { SidePanel } from "../../../components/side-panel.tsx";
import { sectionOf } from "./words.ts";

const RunbookSection = lazyPart(
  async () => (await import("../runbook/section.tsx")).RunbookSection,
);

/** A section of the runbook in a panel. The URL contains the section, so that it can be shared. */
export function RunbookPanel() {
  const { t } = useTranslation("platform");
  const { runbook } = useSearch({ from: "/signed-in/platform/" });
  const navigate = useNavigate();
  return (
    <SidePanel
      isOpen={runbook !== undefined}
      title={`${t("runbook.title")} · ${sectionOf(`#${runbook ?? ""}`)}`}
      onClose={() => void navigate({ to: "/platform", replace: true, resetScroll: false })}
    >
      {runbook === undefined ? null : (
        <PartBoundary placeholder={<Skeleton height={400} />}>
          <RunbookSection anchor={runbook} />
        </PartBoundary>
      )}
    </SidePanel>
  );
}
