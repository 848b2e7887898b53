import { expect } from "chai";
import {
  createIdentityCache,
  identityTtlMs,
  type Identity,
} from "../../src/accounts/identities.ts";

const hash = Buffer.from("a token");

function identityOf(userId: number, more: Partial<Identity> = {}): Identity {
  const caller: Identity["caller"] = {
    userId,
    enterpriseId: 7,
    login: "a@a.example",
    role: "agent",
    accountType: "solution",
    groupIds: [],
    token: "t",
  };
  return { caller, hasSolution: true, expiresInMs: 3_600_000, ...more };
}

/** A cache with a controllable clock and connection, and a database that counts reads. */
function createFixture({ maxEntries = 100 } = {}) {
  const fixture = {
    nowMs: 0,
    isListening: true,
    reads: 0,
    stored: identityOf(1) as Identity | undefined,
  };
  const cache = createIdentityCache<Identity>({
    isListening: () => fixture.isListening,
    nowMs: () => fixture.nowMs,
    maxEntries,
  });
  const read = async () => {
    fixture.reads += 1;
    return fixture.stored;
  };
  return { fixture, cache, find: (key = hash) => cache.find(key, read) };
}

/** A read whose result the test controls. */
function heldRead(identity: Identity) {
  let answer = (): void => undefined;
  const result = new Promise<Identity>((resolve) => (answer = () => resolve(identity)));
  return { read: () => result, answer: () => answer() };
}

describe("identity cache", () => {
  it("reads once per time to live", async () => {
    const { fixture, find } = createFixture();
    await find();
    fixture.nowMs = identityTtlMs - 1;
    expect(await find()).to.equal(fixture.stored);
    expect(fixture.reads).to.equal(1);
    fixture.nowMs = identityTtlMs;
    await find();
    expect(fixture.reads).to.equal(2);
  });

  it("never outlives the credential", async () => {
    const { fixture, find } = createFixture();
    fixture.stored = identityOf(1, { expiresInMs: 100 });
    await find();
    fixture.nowMs = 99;
    await find();
    expect(fixture.reads).to.equal(1);
    fixture.nowMs = 100;
    fixture.stored = undefined;
    expect(await find()).to.equal(undefined);
  });

  it("never keeps that a credential is unknown, nor a failure", async () => {
    const { fixture, cache, find } = createFixture();
    fixture.stored = undefined;
    expect(await find()).to.equal(undefined);
    const failing = cache.find(hash, () => Promise.reject(new Error("down")));
    expect(await failing.catch((thrown: Error) => thrown.message)).to.equal("down");
    fixture.stored = identityOf(1);
    expect(await find()).to.equal(fixture.stored);
  });

  it("shares one read between concurrent calls of a credential", async () => {
    const { fixture, find } = createFixture();
    await Promise.all([find(), find(), find(), find(Buffer.from("another"))]);
    expect(fixture.reads).to.equal(2);
  });

  it("drops the user's and the enterprise's identities, and no others", async () => {
    for (const subject of ["user:1", "enterprise:7"]) {
      const { fixture, cache, find } = createFixture();
      await find();
      cache.forget(new Set(["user:2", "enterprise:1"]));
      await find();
      expect(fixture.reads).to.equal(1);
      cache.forget(new Set(["user:2", subject]));
      await find();
      expect(fixture.reads).to.equal(2);
    }
  });

  it("drops everything after notifications may have been lost", async () => {
    const { fixture, cache, find } = createFixture();
    await find();
    cache.clear();
    await find();
    expect(fixture.reads).to.equal(2);
  });

  it("neither keeps nor shares a read that a change overtook", async () => {
    for (const change of ["forget", "clear"] as const) {
      const { fixture, cache, find } = createFixture();
      const before = identityOf(1, { hasSolution: false });
      const { read, answer } = heldRead(before);
      const early = cache.find(hash, read);
      cache[change](new Set(["user:1"]));
      expect(await find()).to.equal(fixture.stored); // not the earlier read
      answer();
      expect(await early).to.equal(before);
      expect(await find()).to.equal(fixture.stored);
      expect(fixture.reads).to.equal(1);
    }
  });

  it("reads on every call while notifications are not received", async () => {
    const { fixture, find } = createFixture();
    await find();
    fixture.isListening = false;
    await Promise.all([find(), find()]);
    expect(fixture.reads).to.equal(3);
  });

  it("keeps the newest identities within its bound", async () => {
    const { fixture, find } = createFixture({ maxEntries: 2 });
    const keys = ["a", "b", "c"].map((text) => Buffer.from(text));
    for (const key of keys) {
      await find(key);
    }
    await find(keys[2]);
    await find(keys[1]);
    expect(fixture.reads).to.equal(3);
    await find(keys[0]);
    expect(fixture.reads).to.equal(4);
  });
});
