/**
 * Composition of the features: stores → services, for every role that needs them. Connects the ports
 * of each feature to other features.
 */
import { type Administration, createAdministration } from "../accounts/administration.ts";
import { createApiTokens } from "../accounts/api-tokens/service.ts";
import {
  findAgentByLogin,
  findGroup,
  findServiceForConferences,
  findServiceForTickets,
  findUser,
  findUserByExternalId,
  findUserByLogin,
  mayWorkForService,
} from "../accounts/directory-store.ts";
import { findServiceRules } from "../accounts/services/store.ts";
import {
  authenticateToken,
  hashToken,
  createIdentityCache,
  type Identity,
} from "../accounts/identities.ts";
import { createEmbedding, type Embedding } from "../accounts/embedding.ts";
import { createPasswords } from "../accounts/credentials.ts";
import { createAccounts, createSsoTokens } from "../accounts/service.ts";
import { createSessions } from "../accounts/sessions/service.ts";
import type { FoundSession } from "../accounts/sessions/store.ts";
import { createKnownClients } from "../accounts/sign-in/throttling.ts";
import { createAudit } from "../audit/audit-log.ts";
import { createConferenceRoom } from "../conferences/lifecycle.ts";
import type { ConferenceDeps } from "../conferences/model.ts";
import { createConferences, createExternalConferences } from "../conferences/service.ts";
import type { WakeRoom } from "../contracts/rooms.ts";
import { createConversations } from "../conversations/store.ts";
import { createExperts } from "../guests/experts/service.ts";
import { hasConsent, hasDeclined } from "../guests/store.ts";
import { createHl7 } from "../hl7/service.ts";
import { createLimits, type Limits } from "../http/limits.ts";
import {
  closableRateStores,
  postgresRateStores,
  type RateStores,
  redisRateStores,
} from "../http/rate-store.ts";
import { createRoomTokenCheck, createRoomTokens } from "../http/room-tokens.ts";
import { createMediaFeature } from "../media/feature.ts";
import { createMediaUrls } from "../media/model.ts";
import { createOcrEngine } from "../media/ocr-engine.ts";
import { createMessaging, type Messaging } from "../messages/messaging.ts";
import { createBlobs } from "../platform/blobs/blobs.ts";
import { onChange } from "../platform/db/changes.ts";
import { openRedis } from "../platform/queue/redis.ts";
import { createRooms, type Rooms } from "../rooms/service.ts";
import { isRoomTokenValid } from "../rooms/store.ts";
import { createSessionEvents } from "../session-events/service.ts";
import { colleagueDirectory } from "./colleagues.ts";
import { maxPeople } from "../signalling/room/media-route.ts";
import { findRoomRoute } from "../signalling/room/route-store.ts";
import { createCustomerActions } from "../tickets/customer.ts";
import type { TicketDeps } from "../tickets/model.ts";
import { createTicketRoom } from "../tickets/room-subject.ts";
import { createTickets } from "../tickets/service.ts";
import { createPhoneHash } from "../platform/phone-hash.ts";
import { composeOutbox, composeTaskPlanning, type Platform } from "./platform.ts";

type WriteServices = ReturnType<typeof composeWriting>;

export type Features = ReturnType<typeof composeAll>;

const composed = new WeakMap<Platform, Features>();

/** The services of a process; created once. */
export function composeFeatures(platform: Platform): Features {
  const features = composed.get(platform) ?? composeAll(platform);
  composed.set(platform, features);
  return features;
}

function composeAll(platform: Platform) {
  const writing = composeWriting(platform);
  const accountServices = composeAccounts(platform, writing);
  const roomServices = composeRooms(platform, writing, accountServices.messaging);
  const media = composeMedia(platform, writing, roomServices);
  const hl7 = createHl7({
    ...writing,
    secretBox: platform.box,
    directory: { findUserByLogin, findUserByExternalId },
    conferences: createExternalConferences(roomServices.conferenceDeps),
  });
  return { ...writing, ...accountServices, ...roomServices, media, hl7 };
}

/** The write services of every feature. */
function composeWriting(platform: Platform) {
  const { db, clock, ids, faultPoint, log, notifier } = platform;
  const outbox = composeOutbox(platform);
  const tasks = composeTaskPlanning(platform);
  const timeline = createSessionEvents({ db });
  const wakeRoom: WakeRoom = (conversationId) =>
    notifier.wake("signalling", `ended:${conversationId}`);
  const hashPhone = createPhoneHash(platform.secretKey);
  const writing = { db, clock, ids, log, faultPoint, outbox, tasks, timeline, hashPhone };
  return { ...writing, wakeRoom, audit: createAudit() };
}

/** Accounts and messages depend on each other; each gets a closure over the other. */
function composeAccounts(platform: Platform, writing: WriteServices) {
  const { config, baseUrl, lifecycle } = platform;
  const limits = composeLimits(platform);
  const signIn = {
    passwords: createPasswords(),
    knownClients: createKnownClients(platform.secretKey),
    limits,
  };
  const { tokenTtlSeconds } = config;
  const accounts = createAccounts({ ...writing, ...signIn, tokenTtlSeconds });
  const messaging: Messaging = createMessaging({
    ...writing,
    smsLimit: limits.sms,
    requireEnterprise: (caller, id) => administration.requireEnterprise(caller, id),
    providers: { mail: config.mail, sms: config.sms, baseUrl },
  });
  lifecycle.onStop("message providers", async () => messaging.close());
  const administration: Administration = createAdministration({
    ...writing,
    ...signIn,
    accounts,
    baseUrl,
    queueMail: (trx, mail) => messaging.queueMail(trx, mail),
    isAllowedOrigin: (page) => embedding.isAllowedOrigin(page),
  });
  const identities = composeIdentities(platform);
  const browserSessions = createSessions({
    ...writing,
    accounts,
    cache: identities.sessions,
    baseUrl,
  });
  const { findOwner } = browserSessions;
  const embedding: Embedding = createEmbedding({ ...writing, findOwner, baseUrl });
  return {
    limits,
    listenForIdentityChanges: identities.listenForChanges,
    authenticate: (token: string) =>
      identities.tokens.find(hashToken(token), () => authenticateToken(platform.db, token)),
    accounts,
    browserSessions,
    apiTokens: createApiTokens(writing),
    embedding,
    administration,
    messaging,
  };
}

/**
 * The cached callers. Every process tells the others of its changes; only those that call
 * `listenForChanges` cache.
 */
function composeIdentities({ db, listener, notifier }: Platform) {
  const deps = { isListening: () => listener.isListening("identity") };
  const tokens = createIdentityCache<Identity>(deps);
  const sessions = createIdentityCache<FoundSession>(deps);
  const caches = [tokens, sessions];
  onChange(db, (subjects) => {
    caches.forEach((cache) => cache.forget(subjects));
    subjects.forEach((subject) => notifier.wake("identity", subject));
  });
  const listenForChanges = (): void =>
    listener.on("identity", (words) => {
      const subjects = new Set(words);
      caches.forEach((cache) => (subjects.size === 0 ? cache.clear() : cache.forget(subjects)));
    });
  return { tokens, sessions, listenForChanges };
}

/** The rate limits, stored in Redis or else in Postgres. */
function composeLimits(platform: Platform): Limits {
  return createLimits(platform.config.limits, openRateStores(platform));
}

function openRateStores({ config, db, log, lifecycle }: Platform): RateStores {
  if (config.redis === undefined) {
    const { stores, close } = closableRateStores(postgresRateStores(db));
    lifecycle.onStop("rate limits", async () => close());
    return stores;
  }
  const redis = openRedis(config.redis);
  redis.on("error", (error: Error) => log.debug({ reason: error.message }, "limits.redis_error"));
  lifecycle.onStop("rate limits", async () => redis.disconnect());
  return redisRateStores(redis, config.queuePrefix);
}

function composeMedia(
  { config, lifecycle, secretKey, baseUrl }: Platform,
  writing: WriteServices,
  { rooms, tickets, ticketGuests, conferences }: ReturnType<typeof composeRooms>,
) {
  const { blobs, close } = createBlobs(config.blobs);
  lifecycle.onStop("files", close);
  return createMediaFeature({
    ...writing,
    blobs,
    tickets: ticketGuests,
    parents: {
      requireTicket: (scope, id) => tickets.get(scope, id),
      requireConference: (scope, id) => conferences.get(scope, id),
    },
    hasOpenSession: (db, room) => rooms.hasOpenSession(db, room),
    recordingConsent: {
      mayStart: (db, room) => rooms.mayStartRecording(db, room),
      mayContinue: (db, room) => rooms.mayContinueRecording(db, room),
    },
    urls: createMediaUrls({ secretKey, baseUrl, clock: writing.clock }),
    ocrEngine: createOcrEngine(),
  });
}

const ticketDirectory: TicketDeps["directory"] = {
  findAgentByLogin,
  findUser,
  findServiceForTickets,
  findServiceRules,
  findGroup,
  mayServe: mayWorkForService,
  ...colleagueDirectory,
};

/** Tickets, conferences and their rooms, which depend on each other. */
function composeRooms(
  { baseUrl, box, config, secretKey }: Platform,
  writing: WriteServices,
  { invitations }: Messaging,
) {
  const { db, clock, ids } = writing;
  const conversations = createConversations({ ids });
  const roomTokens = createRoomTokens(secretKey, () => clock.now().getTime());
  const ticketDeps: TicketDeps = {
    ...writing,
    baseUrl,
    conversations,
    invitations,
    directory: ticketDirectory,
    ssoTokens: createSsoTokens({ ids }),
    endRoom: (trx, room) => rooms.endRoom(trx, room),
  };
  const conferenceDeps: ConferenceDeps = {
    ...writing,
    baseUrl,
    conversations,
    invitations,
    roomTokens,
    secretBox: box,
    directory: { findUser, findUserByLogin, findServiceForConferences },
    endRoom: (trx, room) => rooms.endRoom(trx, room),
  };
  const rooms: Rooms = createRooms({
    ...writing,
    subjects: {
      ticket: createTicketRoom(ticketDeps),
      conference: createConferenceRoom(conferenceDeps),
    },
    hasConsent,
    maxParticipants: async (trx, room) =>
      maxPeople(await findRoomRoute(trx, room), config.livekit !== undefined),
  });
  const verifyRoomToken = createRoomTokenCheck(
    roomTokens,
    async (guest) =>
      (await isRoomTokenValid(db, guest)) && !(await hasDeclined(db, guest, clock.now())),
  );
  const tickets = createTickets(ticketDeps);
  const ticketGuests = createCustomerActions(ticketDeps);
  return {
    roomTokens,
    verifyRoomToken,
    rooms,
    ticketDeps,
    tickets,
    ticketGuests,
    experts: createExperts({
      ...{ ...writing, roomTokens, baseUrl, invitations, findUser },
      tickets: ticketGuests,
      getTicket: tickets.get,
      findColleague: colleagueDirectory.findColleague,
      findLatestSession: rooms.findLatestSession,
      findAdmissions: rooms.findAdmissions,
    }),
    conferenceDeps,
    conferences: createConferences(conferenceDeps),
  };
}
