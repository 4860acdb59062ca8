/** What happened to a document in the running transaction. */
export interface DocumentChange {
  readonly documentId: string;
  readonly kind: 'content' | 'deleted' | 'returned';
  readonly movedTo?: string;
}
