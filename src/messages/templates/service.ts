import { type Language, asLanguage } from "../../contracts/languages.ts";
import type { Channel } from "../../contracts/invitations.ts";
import type { AuditChanges, AuditLog } from "../../contracts/audit.ts";
import { invalidParameter, problem, orNotFound } from "../../contracts/problems.ts";
import { hourMs, type Clock } from "../../platform/clock.ts";
import type { Db, Queryable, Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { findSendingRules } from "../rules-store.ts";
import { builtInWording } from "./built-in/built-in.ts";
import { checkWording, render, type Rendered } from "./render.ts";
import {
  deleteTemplate,
  findServiceLanguage,
  findTemplate,
  findTemplateFor,
  formatDay,
  formatTime,
  hasService,
  listTemplates,
  lockTemplateAt,
  putTemplate,
  type Template,
  type TemplateScope,
  type Variables,
  type Wording,
} from "./store.ts";
import { type TemplateKind, variablesOfKind } from "../../contracts/message-templates.ts";

export type TemplateDeps = Readonly<{ db: Db; clock: Clock; audit: AuditLog<Trx> }>;

/** The author of a change. */
export type TemplateEditor = Readonly<{ userId: number; login: string; requestId: string }>;

export type PreviewOrder = Pick<Wording, "kind" | "channel" | "language"> &
  Readonly<{
    subject?: string | null;
    text?: string;
    html?: string | null;
    /** Previews the built-in wording. Must not be combined with a text. */
    builtIn?: boolean;
    variables?: Variables;
  }>;

export type Templates = {
  list(scope: TemplateScope): Promise<Template[]>;
  put(scope: TemplateScope, wording: Wording, editor: TemplateEditor): Promise<Template>;
  remove(scope: TemplateScope, id: number, editor: TemplateEditor): Promise<void>;
  /**
   * Renders the given text, the built-in one or the effective one with example values. 400 if both
   * a text and the built-in one are requested.
   */
  preview(scope: TemplateScope, order: PreviewOrder): Promise<Rendered>;
};

export type WordingChoice = Readonly<{
  scope: TemplateScope;
  kind: TemplateKind;
  channel: Channel;
  /** By preference. Unknown languages are skipped. */
  languages: readonly (string | null)[];
  templateId: number | null;
  /** Ignores a template that does not exist. */
  isTemplateOptional: boolean;
}>;

export function createTemplates({ db, clock, audit }: TemplateDeps): Templates {
  return {
    list: async (scope) => {
      await requireScope(db, scope);
      return listTemplates(db, scope);
    },
    put: async (scope, wording, editor) => {
      checkWording(wording);
      await requireScope(db, scope);
      return inTransaction(db, async (trx) => {
        const before = await lockTemplateAt(trx, scope, wording);
        const after = await putTemplate(trx, scope, wording, clock.now());
        await audit.write(trx, {
          enterpriseId: scope.enterpriseId,
          ...editor,
          action: before === undefined ? "create" : "update",
          object: "template",
          objectId: after.id,
          changes: changesOf(before, after),
        });
        return after;
      });
    },
    remove: async (scope, id, editor) => {
      await requireScope(db, scope);
      await inTransaction(db, async (trx) => {
        const before = orNotFound(await deleteTemplate(trx, scope, id), "Template", id);
        await audit.write(trx, {
          enterpriseId: scope.enterpriseId,
          ...editor,
          action: "delete",
          object: "template",
          objectId: id,
          changes: changesOf(before, undefined),
        });
      });
    },
    preview: async (scope, order) => {
      await requireScope(db, scope);
      const wording = wordingOfOrder(order) ?? (await effectiveWording(db, scope, order));
      checkWording(wording);
      const { timeZone, name: enterprise } = await findSendingRules(db, scope.enterpriseId);
      const examples = exampleValues(wording, { timeZone, enterprise, at: clock.now() });
      return render(wording, { ...examples, ...order.variables });
    },
  };
}

async function requireScope(
  db: Queryable,
  { enterpriseId, serviceId }: TemplateScope,
): Promise<void> {
  if (serviceId !== null && !(await hasService(db, enterpriseId, serviceId))) {
    throw problem("not_found", `Service ${serviceId} was not found.`);
  }
}

function changesOf(from: Wording | undefined, to: Wording | undefined): AuditChanges {
  const fields = ["kind", "channel", "language", "subject", "text", "html"] as const;
  const changed = fields.filter((field) => from?.[field] !== to?.[field]);
  return Object.fromEntries(
    changed.map((field) => [
      field,
      {
        ...(from === undefined ? {} : { from: from[field] }),
        ...(to === undefined ? {} : { to: to[field] }),
      },
    ]),
  );
}

/** The wording given by the order; undefined for the effective one. */
function wordingOfOrder(order: PreviewOrder): Wording | undefined {
  const { kind, channel, language, subject = null, text, html = null, builtIn = false } = order;
  if (builtIn && text !== undefined) {
    throw invalidParameter(
      "builtIn",
      "with_text",
      "Give either builtIn or a custom text, not both.",
    );
  }
  if (builtIn) {
    return builtInWording(kind, channel, language);
  }
  return text === undefined ? undefined : { kind, channel, language, subject, text, html };
}

type ExampleSetting = Readonly<{ timeZone: string; enterprise: string; at: Date }>;

/** Preview values of realistic length, one for each variable of the kind. */
export function exampleValues(
  { kind, channel, language }: Wording,
  { timeZone, enterprise, at }: ExampleSetting,
): Variables {
  const rules = { channel, language, timeZone };
  const start = new Date(at.getTime() + 24 * hourMs);
  const all: Required<Variables> = {
    enterprise,
    name: "Camille Martin",
    startDate: formatDay(start, rules),
    startTime: formatTime(start, rules),
    endTime: formatTime(new Date(start.getTime() + hourMs / 2), rules),
    link: "https://video.example/v/0123456789ABCDEFabcdef",
    informationLink: "https://video.example/i/0123456789",
    firstname: "Camille",
    lastname: "Martin",
    agentName: "Alex Bernard",
    subject: "Router",
    reference: "REF-1024",
    organizerName: "Alex Bernard",
    message: "See you soon!",
    dialInNumber: "+33 1 23 45 67 89",
    dialInCode: "123 456 789",
  };
  return Object.fromEntries(variablesOfKind[kind].map((name) => [name, all[name]]));
}

/**
 * Chooses the wording of a message. A requested template applies to its own channel. Otherwise the
 * first known language wins: the requested one, the requestor's, the service's, the enterprise's,
 * English.
 */
export async function chooseWording(db: Queryable, choice: WordingChoice): Promise<Wording> {
  const { scope, kind, channel, languages } = choice;
  const requested = await findRequested(db, choice);
  if (requested?.channel === channel) {
    return requested;
  }
  const ofService =
    scope.serviceId === null
      ? null
      : await findServiceLanguage(db, scope.enterpriseId, scope.serviceId);
  const { language: ofEnterprise } = await findSendingRules(db, scope.enterpriseId);
  const language =
    [...languages, ofService, ofEnterprise].map(asLanguage).find((known) => known !== undefined) ??
    ("en" satisfies Language);
  return effectiveWording(db, scope, { kind, channel, language });
}

async function findRequested(
  db: Queryable,
  { scope: { enterpriseId }, kind, templateId: id, isTemplateOptional }: WordingChoice,
): Promise<Template | undefined> {
  if (id === null) {
    return undefined;
  }
  if (isTemplateOptional) {
    const template = await findTemplate(db, enterpriseId, id);
    return template?.kind === kind ? template : undefined;
  }
  return requireTemplateOf(db, { enterpriseId, kind }, id);
}

/** A template of the enterprise and the kind by id; 400 if there is none. */
export async function requireTemplateOf(
  db: Queryable,
  { enterpriseId, kind }: Pick<TemplateScope, "enterpriseId"> & Pick<Wording, "kind">,
  id: number,
): Promise<Template> {
  const template = await requireTemplate(db, enterpriseId, id);
  if (template.kind !== kind) {
    throw invalidParameter(
      "templateId",
      "kind",
      `The template ${id} has the kind ${template.kind}: use one of the kind ${kind}.`,
    );
  }
  return template;
}

/** A template of the enterprise by id; 400 if it does not exist. */
export async function requireTemplate(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<Template> {
  const template = await findTemplate(db, enterpriseId, id);
  if (template === undefined) {
    throw invalidParameter("templateId", "unknown", `Template ${id} was not found.`);
  }
  return template;
}

/** The effective wording: the service's template, else the enterprise's, else the built-in one. */
async function effectiveWording(
  db: Queryable,
  scope: TemplateScope,
  wanted: Pick<Wording, "kind" | "channel" | "language">,
): Promise<Wording> {
  return (
    (await findTemplateFor(db, scope, wanted)) ??
    builtInWording(wanted.kind, wanted.channel, wanted.language)
  );
}
