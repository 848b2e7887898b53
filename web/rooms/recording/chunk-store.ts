/** Chunks of recordings that are not uploaded yet. */
export type PendingRecording = Readonly<{
  id: number;
  /** Of the person and room that may upload it. */
  owner: string;
  /** How many chunks it has, including those that were uploaded. */
  chunks: number;
  /** A recording that nobody continues can be finished by another page. */
  changedAtMs: number;
}>;

export type ChunkStore = Readonly<{
  begin(recording: PendingRecording): Promise<void>;
  /** Out: how many chunks wait. */
  add(recording: PendingRecording, number: number, data: Blob): Promise<number>;
  /** The chunk with the lowest number; undefined: all were uploaded. */
  next(recordingId: number): Promise<Readonly<{ number: number; data: Blob }> | undefined>;
  remove(recordingId: number, number: number): Promise<void>;
  /** Everything of a recording: it is finished, or cannot be. */
  forget(recordingId: number): Promise<void>;
  list(owner: string): Promise<readonly PendingRecording[]>;
}>;

/** Loses all of it with the page: for browsers without IndexedDB. */
export function createMemoryStore(): ChunkStore {
  const recordings = new Map<number, PendingRecording>();
  const chunks = new Map<number, Map<number, Blob>>();
  const chunksOf = (id: number): Map<number, Blob> => {
    const found = chunks.get(id) ?? new Map<number, Blob>();
    chunks.set(id, found);
    return found;
  };
  return {
    begin: async (recording) => void recordings.set(recording.id, recording),
    add: async (recording, number, data) => {
      recordings.set(recording.id, recording);
      return chunksOf(recording.id).set(number, data).size;
    },
    next: async (id) => {
      const number = Math.min(...chunksOf(id).keys());
      const data = chunksOf(id).get(number);
      return data === undefined ? undefined : { number, data };
    },
    remove: async (id, number) => void chunksOf(id).delete(number),
    forget: async (id) => {
      recordings.delete(id);
      chunks.delete(id);
    },
    list: async (owner) => [...recordings.values()].filter((one) => one.owner === owner),
  };
}
