import {
  createCipheriv,
  createDecipheriv,
  hkdfSync,
  randomBytes,
  createHash,
  timingSafeEqual,
} from "node:crypto";

/**
 * Encrypts small values for the database: AES-256-GCM with a key derived from the platform's. `aad`
 * names the place of a value (see `headersAad`), so a value of one row cannot be decrypted in
 * another.
 */
export type SecretBox = {
  seal(plain: string, aad: string): Buffer;
  /** Throws if the value was sealed with an unknown key or for another place, or was modified. */
  open(sealed: Buffer, aad: string): string;
};

const keyIdBytes = 4;

const nonceBytes = 12;

const tagBytes = 16;

const headBytes = 1 + keyIdBytes;

const minKeyBytes = 32;

/**
 * Format 1: 1 byte format, 4 bytes key id, 12 bytes nonce, 16 bytes tag, then the ciphertext. The
 * key id distinguishes a value of another key from a damaged one.
 */
const format = 1;

const overheadBytes = headBytes + nonceBytes + tagBytes;

/** Seals with `masterKey`, and opens only what was sealed with it. */
export function createSecretBox(masterKey: Buffer): SecretBox {
  const { id, key } = toKey(masterKey);
  return {
    seal: (plain, aad) => {
      const head = Buffer.concat([Buffer.from([format]), id]);
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      cipher.setAAD(boundTo(head, aad));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text]);
    },
    open: (sealed, aad) => {
      const head = sealed.subarray(0, headBytes);
      const isOurs = id.equals(head.subarray(1));
      if (sealed.length < overheadBytes || head[0] !== format || !isOurs) {
        throw new Error("A sealed value was encrypted with another secret key, or is damaged");
      }
      const nonce = sealed.subarray(headBytes, headBytes + nonceBytes);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce);
      decipher.setAAD(boundTo(head, aad));
      decipher.setAuthTag(sealed.subarray(headBytes + nonceBytes, overheadBytes));
      const text = decipher.update(sealed.subarray(overheadBytes));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    },
  };
}

/** The value; undefined if the key does not decrypt it, for instance after a restore. */
export function tryOpen(
  box: Pick<SecretBox, "open">,
  sealed: Buffer,
  aad: string,
): string | undefined {
  try {
    return box.open(sealed, aad);
  } catch {
    return undefined;
  }
}

type Key = { id: Buffer; key: Buffer };

function toKey(masterKey: Buffer): Key {
  if (masterKey.length < minKeyBytes) {
    throw new Error(`The secret key must have at least ${minKeyBytes} bytes`);
  }
  return { id: derive(masterKey, "id", keyIdBytes), key: derive(masterKey, "key", 32) };
}

function derive(masterKey: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(
    hkdfSync("sha256", masterKey, "", `sightline secret box 1 ${purpose}`, length),
  );
}

/** The header is authenticated too, so its format and key id cannot be changed. */
function boundTo(head: Buffer, aad: string): Buffer {
  return Buffer.concat([head, Buffer.from(aad)]);
}

/** Parses a key in the configuration: base64 or base64url of at least 32 bytes. */
export function parseSecretKey(text: string): Buffer {
  const key = Buffer.from(text, "base64");
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/u.test(text);
  if (!isBase64 || key.length < minKeyBytes) {
    throw new Error(`The secret key must be base64 of at least ${minKeyBytes} random bytes`);
  }
  return key;
}

/** Compares secrets in constant time. Hashes first, because the lengths may differ. */
export function isEqualConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
