import { expect } from "chai";
import {
  assessMedia,
  type CandidateKind,
  type CheckedIce,
} from "../../../../web/rooms/media/media-verdict.ts";

const stun = { urls: ["stun:turn.example.com"] };
const turn = { urls: ["turn:turn.example.com", "turns:turn.example.com:443?transport=tcp"] };

describe("the network verdict from ICE candidates", () => {
  const cases: [string, CheckedIce, CandidateKind[]][] = [
    ["direct", { servers: [], policy: "all" }, ["host"]],
    ["blocked", { servers: [], policy: "all" }, []],
    ["direct", { servers: [stun], policy: "all" }, ["host", "srflx"]],
    ["limited", { servers: [stun], policy: "all" }, ["host"]],
    ["relayed", { servers: [stun, turn], policy: "all" }, ["host", "relay"]],
    ["limited", { servers: [stun, turn], policy: "all" }, ["host", "srflx"]],
    ["relayed", { servers: [turn], policy: "relay" }, ["relay"]],
    ["blocked", { servers: [turn], policy: "relay" }, []],
  ];
  for (const [verdict, settings, found] of cases) {
    const servers = settings.servers.flatMap(({ urls }) => urls).length;
    it(`is ${verdict} with ${servers} addresses of servers, ${settings.policy}, and ${found.join(", ") || "none"}`, () => {
      expect(assessMedia(settings, new Set(found))).to.equal(verdict);
    });
  }
});
