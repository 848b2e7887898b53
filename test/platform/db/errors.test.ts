import { expect } from "chai";
import {
  isAbortedTransaction,
  isDataFault,
  isLockConflict,
  isLoginRefusal,
  isProgramFault,
  isStarting,
  isTransientFault,
  isWriteRefusal,
  violatedUniqueIndex,
  writeRefusalReason,
} from "../../../src/platform/db/errors.ts";

function withState(code: unknown): Error {
  return Object.assign(new Error("no"), { code });
}

/** All error classes that match. */
function kindsOf(error: Error): string[] {
  return Object.entries({
    isAbortedTransaction,
    isDataFault,
    isLockConflict,
    isLoginRefusal,
    isProgramFault,
    isStarting,
    isTransientFault,
    isWriteRefusal,
  })
    .filter(([, is]) => is(error))
    .map(([name]) => name);
}

describe("database errors", () => {
  const kinds: readonly (readonly [meaning: string, state: string, kinds: string[]])[] = [
    ["a value that its type does not hold", "22003", ["isDataFault"]],
    ["a check that a row breaks", "23514", ["isDataFault"]],
    ["a value that is too long for its index", "54000", ["isDataFault"]],
    ["a value that is nested too deep", "54001", ["isDataFault"]],
    ["a column that there is not", "42703", ["isProgramFault"]],
    ["what this server cannot do", "0A000", ["isProgramFault"]],
    ["a fault of the server's own", "XX000", ["isProgramFault"]],
    ["a lost connection", "08006", ["isTransientFault"]],
    ["a server that shuts down", "57P01", ["isTransientFault"]],
    ["a statement that took too long", "57014", ["isTransientFault"]],
    ["a deadlock", "40P01", ["isLockConflict", "isTransientFault"]],
    ["a lock that was not to be had in time", "55P03", ["isLockConflict", "isTransientFault"]],
    ["a server that starts", "57P03", ["isStarting", "isTransientFault"]],
    ["a full disk", "53100", ["isTransientFault", "isWriteRefusal"]],
    ["a server without a free connection", "53300", ["isTransientFault", "isWriteRefusal"]],
    ["a server that only reads", "25006", ["isWriteRefusal"]],
    ["a statement after a failed one", "25P02", ["isAbortedTransaction"]],
    ["a wrong password", "28P01", ["isLoginRefusal"]],
    ["an unknown login", "28000", ["isLoginRefusal"]],
  ];
  for (const [meaning, state, expected] of kinds) {
    it(`know ${meaning} (${state})`, () => {
      expect(kindsOf(withState(state))).to.deep.equal(expected);
    });
  }

  const refusals = {
    "53100": "its disk is full",
    "53200": "it is out of resources",
    "53300": "it has no free connection",
    "53400": "it is out of resources",
    "25006": "it is read-only",
  };
  for (const [state, reason] of Object.entries(refusals)) {
    it(`say why the server refuses writes (${state})`, () => {
      expect(writeRefusalReason(withState(state))).to.equal(reason);
    });
  }

  it("name the violated unique index, and nothing else", () => {
    const duplicate = Object.assign(withState("23505"), { constraint: "users_login" });
    expect(violatedUniqueIndex(duplicate)).to.equal("users_login");
    const broken = Object.assign(withState("23514"), { constraint: "users_login" });
    expect(violatedUniqueIndex(broken)).to.equal(undefined);
  });

  it("are program faults if the driver refuses a value; without a state they have no class", () => {
    expect(kindsOf(new TypeError("no"))).to.deep.equal(["isProgramFault"]);
    for (const code of [undefined, 23, "", "2300", "230000", "ECONNREFUSED"]) {
      expect(kindsOf(withState(code)), String(code)).to.deep.equal([]);
    }
  });
});
