/** Advanced settings, collapsed below the basic ones. */
import { Accordion, Skeleton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { lazyPart } from "../../../components/lazy-part.tsx";
import { PartBoundary } from "../../../components/error-boundary.tsx";
import { moreParts, type MorePart } from "./values.ts";
import type { WebhookForm } from "./use-webhook-form.ts";

const PartFields = lazyPart(async () => (await load()).PartFields);

type MoreFieldsProps = Readonly<{
  form: WebhookForm;
  open: readonly MorePart[];
  onOpen: (parts: MorePart[]) => void;
  /** Called once the fields of an opened section are mounted. */
  onThere: () => void;
}>;

export function MoreFields({ form, open, onOpen, onThere }: MoreFieldsProps) {
  const { t } = useTranslation("webhooks");
  const seen = useSeen(open);
  const parts = moreParts.filter((part) => form.values.mode === "push" || part === "sign");
  return (
    <Accordion
      multiple
      variant="contained"
      order={3}
      value={[...open]}
      onChange={(next) => onOpen(next as MorePart[])}
    >
      {parts.map((part) => (
        <Accordion.Item key={part} value={part}>
          <Accordion.Control onPointerEnter={prepare} onFocus={prepare}>
            {t(`more.${part}`)}
          </Accordion.Control>
          <Accordion.Panel>
            {seen.includes(part) ? (
              <PartBoundary placeholder={<Skeleton height={90} />}>
                <PartFields form={form} part={part} onThere={onThere} />
              </PartBoundary>
            ) : null}
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** Sections that are or were open, which stay mounted. */
function useSeen(open: readonly MorePart[]): readonly MorePart[] {
  const [seen, setSeen] = useState(open);
  const fresh = open.filter((part) => !seen.includes(part));
  if (fresh.length > 0) {
    setSeen([...seen, ...fresh]);
  }
  return seen;
}

function prepare(): void {
  void load().catch(() => undefined);
}

function load() {
  return import("./more-parts.tsx");
}
