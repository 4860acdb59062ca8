/** What the main thread and the database's worker thread tell each other. */
export interface EmbeddedWorkerData {
  /** Folder of the Postgres cluster; undefined keeps it in memory. */
  readonly clusterDir: string | undefined;
}
export type EmbeddedRequest =
  /** Frontend messages of the Postgres wire protocol; the last one is a Query, Sync, Flush or Copy message. */
  { readonly type: 'execute'; readonly id: number; readonly bytes: Uint8Array } | { readonly type: 'close' };
export type EmbeddedReply =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly id: number; readonly bytes: Uint8Array }
  /** The database cannot go on; the worker ends. */
  | { readonly type: 'failed'; readonly message: string; readonly code: string | undefined }
  | { readonly type: 'closed' };
