import { webhookNotFound, invalidParameter } from "../../contracts/problems.ts";
import type { AuditChanges } from "../../contracts/audit.ts";
import type { QueuePrivateMail } from "../../contracts/invitations.ts";
import type { Queryable, Trx } from "../../platform/db/pool.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { auditEntryOf, type Actor, type ChangeAuthor } from "../../http/authorize.ts";
import { maskedValue } from "../../contracts/request-headers.ts";
import { requireSubscription } from "../changes.ts";
import {
  confirmMail,
  deleteEmails,
  insertEmail,
  listEmails,
  createConfirmations,
  type Confirmations,
  type ConfirmationDeps,
} from "./confirmations.ts";
import {
  type AlertChange,
  type AlertSettings,
  type AlertThresholds,
  checkConfirmations,
  checkNumbers,
  parseEmails,
  type ThresholdOverrides,
  type WebhookAlertChange,
} from "./model.ts";
import { presentAlerts } from "./present.ts";
import {
  countConfirmations,
  listOverrides,
  listUserIds,
  lockSettings,
  readOverrides,
  readSettings,
  setUsers,
  writeOverrides,
  writeSettings,
} from "./store.ts";

export type AlertDeps = ConfirmationDeps &
  Readonly<{
    /** Filters active users of the enterprise. */
    findActiveUsers(
      db: Queryable,
      enterpriseId: number,
      userIds: readonly number[],
    ): Promise<readonly Readonly<{ id: number; login: string }>[]>;
    /** A mail with a link that grants access: its text cannot be listed or read. */
    queueMail: QueuePrivateMail<Trx>;
  }>;

type WebhookThresholds = Readonly<{ own: ThresholdOverrides; effective: AlertThresholds }>;

export type Alerts = Readonly<{
  get(author: ChangeAuthor): Promise<AlertSettings>;
  /** New addresses get a confirmation mail, and alerts only after they confirm. */
  update(actor: Actor, change: AlertChange): Promise<AlertSettings>;
  getWebhook(author: ChangeAuthor, subscriptionId: number): Promise<WebhookThresholds>;
  updateWebhook(
    actor: Actor,
    subscriptionId: number,
    change: WebhookAlertChange,
  ): Promise<WebhookThresholds>;
}> &
  Confirmations;

export function createAlerts(deps: AlertDeps): Alerts {
  const { db } = deps;
  return {
    get: ({ enterpriseId }) => readAll(deps, db, enterpriseId),
    update: createUpdate(deps),
    getWebhook: ({ enterpriseId }, id) => requireOverrides(db, enterpriseId, id),
    updateWebhook: createUpdateOwn(deps),
    ...createConfirmations(deps),
  };
}

function createUpdate(deps: AlertDeps): Alerts["update"] {
  return async (actor, change) => {
    checkNumbers(change);
    const { enterpriseId } = actor;
    return inTransaction(deps.db, async (trx) => {
      const today = deps.clock.now().toISOString().slice(0, 10);
      const { settings, confirmationsToday } = await lockSettings(trx, enterpriseId, today);
      const before = await readAll(deps, trx, enterpriseId);
      await writeSettings(trx, enterpriseId, {
        failingMinutes: change.failing_minutes ?? settings.failingMinutes,
        pastDueMinutes: change.past_due_minutes ?? settings.pastDueMinutes,
        failedDeliveries: change.failed_deliveries ?? settings.failedDeliveries,
        repeatHours: change.repeat_hours ?? settings.repeatHours,
        administrators: change.administrators ?? settings.administrators,
      });
      if (change.users !== undefined) {
        await putUsers(deps, trx, { enterpriseId, users: change.users });
      }
      if (change.emails !== undefined) {
        const { emails } = change;
        await putEmails(deps, trx, actor, { emails, confirmationsToday, today });
      }
      const after = await readAll(deps, trx, enterpriseId);
      const changes = changesBetween(auditView(before), auditView(after));
      const entry = auditEntryOf(actor, enterpriseId, { action: "update", changes });
      await deps.audit.write(trx, { ...entry, object: "alert" });
      return after;
    });
  };
}

async function readAll(
  { findActiveUsers }: AlertDeps,
  db: Queryable,
  enterpriseId: number,
): Promise<AlertSettings> {
  const settings = await readSettings(db, enterpriseId);
  const users = await findActiveUsers(db, enterpriseId, await listUserIds(db, enterpriseId));
  const emails = await listEmails(db, enterpriseId);
  return { ...settings, users, emails, webhooks: await listOverrides(db, enterpriseId) };
}

async function putUsers(
  { findActiveUsers }: AlertDeps,
  trx: Trx,
  { enterpriseId, users }: { enterpriseId: number; users: readonly number[] },
): Promise<void> {
  const known = new Set((await findActiveUsers(trx, enterpriseId, users)).map(({ id }) => id));
  const unknown = users.findIndex((id) => !known.has(id));
  if (unknown !== -1) {
    throw invalidParameter(
      `users[${unknown}]`,
      "unknown",
      `No active user has the id ${users[unknown]}.`,
    );
  }
  await setUsers(trx, enterpriseId, users);
}

type NewAddresses = Readonly<{
  emails: readonly string[];
  confirmationsToday: number;
  today: string;
}>;

async function putEmails(
  deps: AlertDeps,
  trx: Trx,
  { enterpriseId, userId }: Actor,
  { emails: input, confirmationsToday, today }: NewAddresses,
): Promise<void> {
  const wanted = parseEmails(input);
  const isWanted = new Set(wanted.map((email) => email.toLowerCase()));
  const stored = await listEmails(trx, enterpriseId);
  const isStored = new Set(stored.map(({ email }) => email.toLowerCase()));
  const fresh = wanted.filter((email) => !isStored.has(email.toLowerCase()));
  const gone = stored.filter(({ email }) => !isWanted.has(email.toLowerCase()));
  checkConfirmations(confirmationsToday, fresh.length);
  const ids = gone.map(({ id }) => id);
  await deleteEmails(trx, enterpriseId, ids);
  const company = await deps.findCompany(trx, enterpriseId);
  for (const email of fresh) {
    const added = await insertEmail(trx, { enterpriseId, email, at: deps.clock.now() });
    const mail = confirmMail(company, deps.links.linkTo(added));
    await deps.queueMail(trx, { enterpriseId, to: email, ...mail, createdBy: userId });
  }
  const count = confirmationsToday + fresh.length;
  await countConfirmations(trx, enterpriseId, { today, count });
}

/** The settings that are compared for the audit log. `auditValue` masks the addresses. */
function auditView(settings: AlertSettings): Record<string, unknown> {
  const { users, emails, webhooks: _own, ...plain } = presentAlerts(settings);
  return {
    ...plain,
    users: users.map(({ id }) => id),
    emails: emails.map(({ email }) => email),
  };
}

function createUpdateOwn(deps: AlertDeps): Alerts["updateWebhook"] {
  return async (actor, subscriptionId, change) => {
    checkNumbers(change);
    const { enterpriseId } = actor;
    return inTransaction(deps.db, async (trx) => {
      const today = deps.clock.now().toISOString().slice(0, 10);
      await lockSettings(trx, enterpriseId, today);
      await requireSubscription(trx, enterpriseId, subscriptionId);
      const { own: before } = await requireOverrides(trx, enterpriseId, subscriptionId);
      const own: ThresholdOverrides = {
        failingMinutes: pick(change.failing_minutes, before.failingMinutes),
        pastDueMinutes: pick(change.past_due_minutes, before.pastDueMinutes),
        failedDeliveries: pick(change.failed_deliveries, before.failedDeliveries),
      };
      await writeOverrides(trx, { enterpriseId, subscriptionId }, own);
      const changes = changesBetween(before, own);
      await deps.audit.write(
        trx,
        auditEntryOf(actor, subscriptionId, { action: "update", changes }),
      );
      return requireOverrides(trx, enterpriseId, subscriptionId);
    });
  };
}

async function requireOverrides(
  db: Queryable,
  enterpriseId: number,
  id: number,
): Promise<WebhookThresholds> {
  const found = await readOverrides(db, enterpriseId, id);
  if (found === undefined) {
    throw webhookNotFound(id);
  }
  return found;
}

function pick<T>(input: T | undefined, before: T): T {
  return input === undefined ? before : input;
}

function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): AuditChanges {
  return Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => JSON.stringify(before[name]) !== JSON.stringify(value))
      .map(([name, to]) => [
        name,
        { from: auditValue(name, before[name]), to: auditValue(name, to) },
      ]),
  );
}

/** Masks each address: the audit log keeps no personal data. */
function auditValue(name: string, value: unknown): unknown {
  return name === "emails" && Array.isArray(value) ? value.map(() => maskedValue) : value;
}
