import { createHmac } from "node:crypto";
import { expect } from "chai";
import { createRoomTokenCheck, createRoomTokens } from "../../src/http/room-tokens.ts";
import { testGuest } from "../support/api.ts";

const now = Date.parse("2026-11-21T10:00:00Z");
const hour = 3_600_000;
const guest = testGuest({ ticketId: null, conferenceId: 9, role: "organizer", userId: 4 });

function encode(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString(
    "base64url",
  );
}
function decode(part: string | undefined): Record<string, unknown> {
  return JSON.parse(Buffer.from(part ?? "", "base64url").toString()) as Record<string, unknown>;
}

describe("room tokens", () => {
  let atMs = now;
  const tokens = createRoomTokens(Buffer.alloc(32, 1), () => atMs);
  beforeEach(() => {
    atMs = now;
  });

  it("contain everything they were issued for", async () => {
    const token = await tokens.issue(guest, new Date(now + hour));
    expect(await tokens.verify(token)).to.deep.equal(guest);
  });

  it("expire in time", async () => {
    const token = await tokens.issue(guest, new Date(now + hour));
    atMs = now + hour - 1_000;
    expect(await tokens.verify(token)).to.deep.equal(guest);
    atMs = now + hour;
    expect(await tokens.verify(token)).to.equal(undefined);
  });

  it("expire after 12 hours at the latest", async () => {
    const token = await tokens.issue(guest, new Date(now + 100 * hour));
    atMs = now + 12 * hour - 1_000;
    expect(await tokens.verify(token)).to.deep.equal(guest);
    atMs = now + 12 * hour + 1_000;
    expect(await tokens.verify(token)).to.equal(undefined);
  });

  it("are valid on a host whose clock is behind, by at most a minute", async () => {
    const token = await tokens.issue(guest, new Date(now + hour));
    atMs = now - 60_000;
    expect(await tokens.verify(token)).to.deep.equal(guest);
    atMs = now - 61_000;
    expect(await tokens.verify(token)).to.equal(undefined);
  });

  it("are invalid if signed with another key or with the platform's key itself", async () => {
    const masterKey = Buffer.alloc(32, 1);
    const other = createRoomTokens(Buffer.alloc(32, 2), () => now);
    expect(await tokens.verify(await other.issue(guest, new Date(now + hour)))).to.equal(undefined);
    const [head, body] = (await tokens.issue(guest, new Date(now + hour))).split(".");
    const signature = createHmac("sha256", masterKey).update(`${head}.${body}`).digest("base64url");
    expect(await tokens.verify(`${head}.${body}.${signature}`)).to.equal(undefined);
  });

  it("cannot be modified", async () => {
    const [head, body, signature] = (await tokens.issue(guest, new Date(now + hour))).split(".");
    const changed = encode({ ...decode(body), role: "agent" });
    expect(await tokens.verify(`${head}.${changed}.${signature}`)).to.equal(undefined);
  });

  it("must be signed with the expected algorithm", async () => {
    const [, body] = (await tokens.issue(guest, new Date(now + hour))).split(".");
    for (const alg of ["none", "HS512", "RS256", "hs256"]) {
      const head = encode({ alg });
      const signature = createHmac("sha512", Buffer.alloc(32, 1)).update(`${head}.${body}`);
      expect(await tokens.verify(`${head}.${body}.`), alg).to.equal(undefined);
      const signed = `${head}.${body}.${signature.digest("base64url")}`;
      expect(await tokens.verify(signed), alg).to.equal(undefined);
    }
  });

  it("are undefined for a text that is not a token", async () => {
    for (const text of ["", "x", "a.b.c", "..", "a.b.c.d.e", "\u0000"]) {
      expect(await tokens.verify(text), text).to.equal(undefined);
    }
  });
});

describe("the check of a room token", () => {
  const tokens = createRoomTokens(Buffer.alloc(32, 1), () => now);
  const asked: unknown[] = [];
  const check = createRoomTokenCheck(tokens, async (holder) => {
    asked.push(holder);
    return holder.userId === 4 || (holder.userId === null && holder.name !== "removed");
  });
  const issue = (holder: typeof guest) => tokens.issue(holder, new Date(now + hour));

  it("checks the account of a token", async () => {
    expect(await check(await issue(guest))).to.deep.equal(guest);
    expect(asked).to.deep.equal([guest]);
  });

  it("rejects a token whose account is no longer valid", async () => {
    expect(await check(await issue({ ...guest, userId: 5 }))).to.equal(undefined);
  });

  it("accepts guests with a valid token only", async () => {
    const visitor = { ...guest, role: "participant", userId: null } as const;
    expect(await check(await issue(visitor))).to.deep.equal(visitor);
    expect(await check("x.y.z")).to.equal(undefined);
    expect(await check(await issue({ ...visitor, name: "removed" }))).to.equal(undefined);
  });
});
