import type { ConferenceStatus } from "./model.ts";

/** A user as others see them. */
export type Party = Readonly<{ id: number; name: string }>;

export type Conference = Readonly<{
  id: number;
  enterpriseId: number;
  serviceId: number;
  serviceKey: string;
  conversationId: number;
  name: string;
  status: ConferenceStatus;
  roomName: string;
  shortCode: string;
  /** Empty where the enterprise has no gateway. */
  sipPhoneNumber: string;
  sipDtmfCode: string;
  organizer: Party;
  createdBy: Party;
  /** The organizer where nobody else was named. */
  moderator: Party;
  isModerated: boolean;
  isOpen: boolean;
  isLocked: boolean;
  language: string | null;
  message: string | null;
  passwordSealed: Buffer | null;
  /** Null: no reminder. */
  reminderMinutes: number | null;
  remindedFor: Date | null;
  startTime: Date;
  endTime: Date;
  createdAt: Date;
  modifiedAt: Date;
}>;

/** Somebody who was asked to come: one of mail and phone. */
export type Contact = Readonly<{ email: string | null; phone: string | null; name: string | null }>;

export type ConferenceRef = Readonly<{ enterpriseId: number; id: number }>;
