/**
 * The permissions of each role, as an independent copy: they must not be derived from what the
 * product grants. A role that is not listed gets a 403.
 */
import type { Access } from "./kinds.ts";

const whole = { admin: "all", integration: "all", superadmin: "all" } as const;
const administration = { admin: "all", superadmin: "all" } as const;

export const readTickets: Access = { ...whole, viewer: "group", agent: "group", manager: "group" };
export const writeTickets: Access = { ...whole, agent: "own", manager: "group" };
export const takeTickets: Access = { ...whole, agent: "group", manager: "group" };
export const assignTickets: Access = { ...whole, manager: "group" };
export const transferTickets: Access = { ...whole, agent: "own", manager: "group" };
export const readTimeline: Access = { ...whole, agent: "own", manager: "group" };

export const conferences: Access = { ...whole, agent: "own", manager: "all" };
export const conversations: Access = { ...whole, agent: "own", manager: "group" };

export const watchRooms: Access = { admin: "all", superadmin: "all", manager: "group" };

export const readMedia: Access = { ...whole, viewer: "group", agent: "own", manager: "group" };
export const writeMedia: Access = { ...whole, agent: "own", manager: "group" };

export const readStatistics: Access = { ...whole, manager: "group" };

export const readUsers: Access = { ...administration, manager: "all" };
export const administer: Access = administration;
export const createEnterprises: Access = { superadmin: "all" };

export const runPlatform: Access = { superadmin: "all" };

export const webhooks: Access = whole;
export const messages: Access = whole;
export const hl7: Access = whole;
export const sip: Access = whole;
