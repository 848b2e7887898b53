import type { Clock } from "../platform/clock.ts";
import type { Db, Trx, Queryable } from "../platform/db/pool.ts";
import { inTransaction } from "../platform/db/transaction.ts";
import type { Ids } from "../platform/ids.ts";
import type { Logger } from "../platform/logger.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { AuditLog, AuditChanges } from "../contracts/audit.ts";
import { auditEntryOf, type Actor, type ChangeAuthor } from "../http/authorize.ts";
import {
  addSubscription,
  changeSubscription,
  openSubscription,
  removeSubscription,
  requireSubscription,
  type SubscriptionChange,
} from "./changes.ts";
import {
  readBacklogCounts,
  type BacklogCounts,
} from "../pipeline/ledger/queries/backlog-counts.ts";
import { findUrl, type InboxOptions, readInboxSecrets, updateInboxOwnership } from "./inbox.ts";
import {
  applyInput,
  type CheckedInput,
  checkInput,
  checkKeptValues,
  type Subscription,
  type SubscriptionSnapshot,
  withRemoved,
} from "./model.ts";
import {
  defaultSettings,
  type SubscriptionChangeInput,
  type SubscriptionInput,
  settings,
  type SubscriptionSettings,
} from "./settings/table.ts";
import { checkModeUnchanged, hasOtherOrigin, type CheckUrl } from "./settings/setting.ts";
import {
  firstKeys,
  checkSecret,
  newSecret,
  rotateKey,
  rotateSecret,
  type RotateKeyInput,
  type RotateSecretInput,
} from "./signing-keys.ts";
import { listSubscriptions, type StoredSubscription } from "./store.ts";
import { maskedValue } from "../contracts/request-headers.ts";

export type WebhookDeps = {
  db: Db;
  secretBox: SecretBox;
  ids: Pick<Ids, "bytes">;
  clock: Clock;
  log: Pick<Logger, "info">;
  checkUrl: CheckUrl;
  inbox: InboxOptions;
  audit: AuditLog<Trx>;
  /** Called after the commit of a change: wakes relay and schedule. An optimisation. */
  onChanged: () => void;
};

type Created = { subscription: SubscriptionSnapshot; secret: string };

/** Use cases of subscriptions. Those of another enterprise are a 404. */
export type WebhookService = {
  list(author: ChangeAuthor): Promise<SubscriptionSnapshot[]>;
  get(author: ChangeAuthor, id: number): Promise<SubscriptionSnapshot>;
  /** Checks each setting by itself and throws one problem for all. Changes nothing. */
  check(input: SubscriptionInput): Promise<unknown>;
  /** Returns the secret, the only time it is shown. */
  create(author: Actor, input: SubscriptionInput & { secret?: string }): Promise<Created>;
  update(author: Actor, id: number, input: SubscriptionChangeInput): Promise<SubscriptionSnapshot>;
  remove(author: Actor, id: number): Promise<void>;
  /** Returns the new secret, the only time it is shown. */
  rotateSecret(author: Actor, id: number, input: RotateSecretInput): Promise<Created>;
  rotateKey(author: Actor, id: number, input: RotateKeyInput): Promise<SubscriptionSnapshot>;
  readHealth(
    author: ChangeAuthor,
    id: number,
  ): Promise<{ subscription: SubscriptionSnapshot; standing: BacklogCounts }>;
  /**
   * The secrets and public keys that verify requests to an inbox; undefined if no subscription sends
   * to it. Not bound to an enterprise, because the key alone gives access to the inbox.
   */
  findInboxSecrets(key: string): Promise<string[] | undefined>;
};

type ServiceTools = ReturnType<typeof createTools>;

export function createWebhookService(deps: WebhookDeps): WebhookService {
  const { db, checkUrl, inbox } = deps;
  const tools = createTools(deps);
  const { see, read, changed } = tools;
  return {
    get: (author, id) => read(author, id),
    list: async ({ enterpriseId }) => (await listSubscriptions(db, enterpriseId)).map(see),
    check: (value) => checkInput(checkUrl, defaultSettings, value),
    create: createAdd(deps, tools),
    update: async (author, id, raw) => {
      const input = await checkInput(checkUrl, await read(author, id), withRemoved(raw));
      const subscription = await inTransaction(db, async (trx) => {
        await updateIn(trx, deps, { author, id, removed: raw.remove ?? [] }, input);
        return read(author, id, trx);
      });
      changed(author, id, "update");
      return subscription;
    },
    remove: async (author, id) => {
      await inTransaction(db, async (trx) => {
        await removeSubscription(trx, author, id);
        const change = { before: await findUrl(trx, id), after: null };
        await updateInboxOwnership(trx, inbox, { enterpriseId: author.enterpriseId, ...change });
        await deps.audit.write(trx, auditEntryOf(author, id, { action: "delete", changes: {} }));
      });
      changed(author, id, "delete");
    },
    ...createRotations(deps, tools),
    readHealth: async (author, id) => {
      const subscription = await read(author, id);
      return { subscription, standing: await readBacklogCounts(db, id, subscription.asOf) };
    },
    findInboxSecrets: readInboxSecrets(deps),
  };
}

/** What the use cases share. */
function createTools({ db, secretBox, clock, log, onChanged }: WebhookDeps) {
  const see = (stored: StoredSubscription): SubscriptionSnapshot => ({
    ...openSubscription(secretBox, stored),
    asOf: clock.now(),
  });
  const read = async (
    { enterpriseId }: ChangeAuthor,
    id: number,
    on: Queryable = db,
  ): Promise<SubscriptionSnapshot> => see(await requireSubscription(on, enterpriseId, id));
  const changed = ({ enterpriseId, userId }: ChangeAuthor, id: number, change: string): void => {
    log.info({ enterpriseId, userId, subscriptionId: id, change }, "subscription.changed");
    onChanged();
  };
  return { see, read, changed };
}

// The answer is read before the commit, because nothing may fail after it.

function createAdd(deps: WebhookDeps, { read, changed }: ServiceTools): WebhookService["create"] {
  return async (author, value) => {
    const { db, secretBox, inbox } = deps;
    const secret =
      value.secret === undefined ? newSecret(deps.ids.bytes) : checkSecret(value.secret);
    const first = await firstSettings(deps, value, secret);
    const subscription = await inTransaction(db, async (trx) => {
      const added = await addSubscription(trx, secretBox, author, first);
      const { enterpriseId } = author;
      await updateInboxOwnership(trx, inbox, {
        enterpriseId,
        before: null,
        after: first.settings.url,
      });
      const changes = creationOf(first.settings);
      await deps.audit.write(trx, auditEntryOf(author, added, { action: "create", changes }));
      return read(author, added, trx);
    });
    changed(author, subscription.id, "create");
    return { subscription, secret };
  };
}

/** The settings and keys of a new subscription. */
async function firstSettings(
  { checkUrl, clock, ids }: WebhookDeps,
  value: SubscriptionInput,
  secret: string,
): Promise<SubscriptionChange> {
  const input = await checkInput(checkUrl, defaultSettings, value);
  const newSettings = applyInput(defaultSettings, input, clock.now());
  const keys = firstKeys({ signatures: [], keys: [] }, newSettings.signatures, ids.bytes);
  return { settings: newSettings, signing: { secrets: [{ secret, until: null }], ...keys } };
}

/** Creating a webhook also creates its secret, which is never shown. */
function creationOf(created: SubscriptionSettings): AuditChanges {
  return { ...changesOf(undefined, created), secret: { to: maskedValue } };
}

async function updateIn(
  trx: Trx,
  { secretBox, inbox, audit, clock, ids }: WebhookDeps,
  { author, id, removed }: { author: Actor; id: number; removed: readonly string[] },
  input: CheckedInput,
): Promise<void> {
  const urls = { before: null as string | null, after: null as string | null };
  let changes: ReturnType<typeof changesOf> = {};
  await changeSubscription(trx, secretBox, { author, id }, (before) => {
    checkModeUnchanged(before.mode, input.mode);
    checkKeptValues(before, input);
    const after = applyInput(before, input, clock.now());
    urls.before = before.url;
    urls.after = after.url;
    const signing = firstKeys(before, after.signatures, ids.bytes);
    const replaced = [...removed, ...replacedBy(input, before, after)];
    changes = { ...lossesOf(before, replaced), ...changesOf(before, after) };
    return { settings: after, signing, replaced };
  });
  await updateInboxOwnership(trx, inbox, { enterpriseId: author.enterpriseId, ...urls });
  await audit.write(trx, auditEntryOf(author, id, { action: "update", changes }));
}

/**
 * The settings that a change gives anew. Not those that it only repeats as they were shown: a value
 * that cannot be decrypted is shown as its default, and what was read may be sent back. With a `url`
 * of another origin they are removed: the stored value must not go there.
 */
function replacedBy(
  input: CheckedInput,
  before: SubscriptionSettings,
  after: SubscriptionSettings,
): string[] {
  const isMoved = hasOtherOrigin(after.url, before.url);
  return settings
    .filter(({ name }) => input[name] !== undefined)
    .filter(({ property, defaultValue }) => isMoved || !isSame(after[property], defaultValue))
    .map(({ name }) => name);
}

/**
 * The replaced settings that cannot be decrypted: they read as their defaults already, so that
 * `changesOf` does not see that one is removed.
 */
function lossesOf({ undecryptable }: Subscription, replaced: readonly string[]): AuditChanges {
  return Object.fromEntries(
    settings
      .filter(({ name }) => replaced.includes(name) && undecryptable.includes(name))
      .map((row) => [row.name, { from: maskedValue, to: row.defaultValue }]),
  );
}

/** The settings that differ, without their secrets. Pure. */
function changesOf(
  before: SubscriptionSettings | undefined,
  after: SubscriptionSettings,
): AuditChanges {
  return Object.fromEntries(
    settings
      .filter(({ property }) => !isSame(before?.[property], after[property]))
      .map((row) => {
        const shown = (from: SubscriptionSettings): unknown => auditedValue(row, from);
        const to = shown(after);
        return [row.name, before === undefined ? { to } : { from: shown(before), to }];
      }),
  );
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function auditedValue(row: (typeof settings)[number], of: SubscriptionSettings): unknown {
  const value = of[row.property];
  const show = row.audit ?? row.present;
  return show ? show(value) : value;
}

function createRotations(
  deps: WebhookDeps,
  { read, changed }: ServiceTools,
): Pick<WebhookService, "rotateSecret" | "rotateKey"> {
  return {
    rotateSecret: async (author, id, input) => {
      const after = await inTransaction(deps.db, async (trx) => {
        const secret = await rotateSecret(trx, deps, { author, id }, input);
        return { subscription: await read(author, id, trx), secret };
      });
      changed(author, id, "rotate");
      return after;
    },
    rotateKey: async (author, id, input) => {
      const subscription = await inTransaction(deps.db, async (trx) => {
        await rotateKey(trx, deps, { author, id }, input);
        return read(author, id, trx);
      });
      changed(author, id, "rotate");
      return subscription;
    },
  };
}
