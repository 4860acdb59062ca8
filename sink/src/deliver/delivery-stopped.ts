/** The delivery was given up from our side: a stop, or partitions that are not ours any more. Nothing is known of its records. */
export class DeliveryStopped extends Error {
  override readonly name = 'DeliveryStopped';
  constructor() {
    super('the delivery was stopped');
  }
  static is(error: unknown): error is DeliveryStopped {
    return error instanceof DeliveryStopped;
  }
}
